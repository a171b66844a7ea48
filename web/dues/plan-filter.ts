import { lastDayOf } from '@tatami/contract/lib/calendar-day'
import {
  membershipListApi,
  type MembershipRow,
} from '@tatami/contract/memberships/membership-figures'
import { useMemo } from 'react'
import { today } from '../lib/dates.ts'
import { thisMonth } from '../lib/month.ts'
import { useUrlQuery } from '../lib/url-query.ts'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'

const ALL_PLANS = ''
const NO_PLAN = 'none'
const ENDS_THIS_MONTH = 'ends'
const HOLD_ENDS_THIS_MONTH = 'hold-ends'

/** True if the day is today or later in this month. */
const isLaterThisMonth = (day: string | null): boolean =>
  day !== null && day >= today() && day <= lastDayOf(thisMonth())

function matchesPlan(row: MembershipRow | undefined, choice: string): boolean {
  if (choice === ALL_PLANS) return true
  if (choice === NO_PLAN) return row === undefined || row.plan_id === null
  if (choice === ENDS_THIS_MONTH) return isLaterThisMonth(row?.ends_on ?? null)
  if (choice === HOLD_ENDS_THIS_MONTH) return isLaterThisMonth(row?.hold_ends_on ?? null)
  return row?.plan_id === choice || (row?.add_on_ids.includes(choice) ?? false)
}

const PARAM = 'plan'

/** Filters students by plan. Until a student has a plan, there are no choices. */
export function usePlanFilter() {
  const [query, changeQuery] = useUrlQuery()
  const { data: rows } = useAllowedQuery(membershipListApi.list)
  const choices = useMemo(() => listChoices(rows ?? []), [rows])
  const rowByStudent = useMemo(() => new Map(rows?.map((row) => [row.student_id, row])), [rows])
  const choiceInUrl = query.get(PARAM) ?? ALL_PLANS
  const value = choices.some((choice) => choice.value === choiceInUrl) ? choiceInUrl : ALL_PLANS
  return {
    choices,
    value,
    setValue: (choice: string) => changeQuery({ [PARAM]: choice }),
    matches: (student: { id: string }) => matchesPlan(rowByStudent.get(student.id), value),
  }
}
export type PlanFilter = ReturnType<typeof usePlanFilter>

function listChoices(rows: readonly MembershipRow[]) {
  if (rows.length === 0) return []
  const nameById = new Map(rows.map(({ plan_id, plan_name }) => [plan_id, plan_name]))
  const plans = [...nameById].flatMap(([id, name]) =>
    id === null || name === null ? [] : [{ value: id, label: name }],
  )
  return [
    { value: ALL_PLANS, label: 'All plans' },
    ...plans.toSorted((a, b) => a.label.localeCompare(b.label)),
    { value: NO_PLAN, label: 'Without a plan' },
    { value: ENDS_THIS_MONTH, label: 'Ends this month' },
    { value: HOLD_ENDS_THIS_MONTH, label: 'Hold ends this month' },
  ]
}
