import {
  addDays,
  firstDayOf,
  lastDayOf,
  type Month,
  monthOfDate,
} from '@tatami/contract/lib/calendar-day'
import { type BasePlans, type PlanMonth, planMonthOf } from '../plans/plans.ts'
import type { students, VacationDays } from '../students/tables.ts'

type StudentRow = typeof students.$inferSelect
type Vacation = Pick<StudentRow, 'on_vacation' | 'vacation_from' | 'vacation_until'>
export type BillingRow = Vacation &
  Pick<StudentRow, 'is_trial' | 'awaits_approval' | 'pays_since' | 'paid_through' | 'left_on'> & {
    enrolled_on: string
    past_vacations: VacationDays[]
    /** Empty for a student who pays the monthly fee. */
    base_plans: BasePlans
  }

/** Whether a vacation covers all these days. Earlier releases stored no first day. */
const coversDays = (
  { on_vacation, vacation_from, vacation_until }: Vacation,
  first: string,
  last: string,
) =>
  (vacation_from === null ? on_vacation : vacation_from <= first) &&
  (vacation_until === null || vacation_until >= last)

export const isAwayAllMonth = (student: Vacation, month: Month): boolean =>
  coversDays(student, firstDayOf(month), lastDayOf(month))

/** Former students are not charged anymore. When they leave, their current month is charged. */
const isRegular = ({ is_trial, awaits_approval, left_on }: BillingRow) =>
  !is_trial && !awaits_approval && left_on === null

function vacationsOf(student: BillingRow): VacationDays[] {
  const { on_vacation, vacation_from, vacation_until, past_vacations } = student
  const hasVacation = on_vacation || vacation_from !== null
  return hasVacation
    ? [...past_vacations, { from: vacation_from, until: vacation_until }]
    : past_vacations
}

const compareFirstDays = (a: VacationDays, b: VacationDays): number =>
  (a.from ?? '') < (b.from ?? '') ? -1 : 1

function firstDayBack(first: string, vacations: readonly VacationDays[]): string | null {
  let day = first
  for (const { from: start, until: end } of vacations.toSorted(compareFirstDays)) {
    if ((start !== null && start > day) || (end !== null && end < day)) continue
    if (end === null) return null
    day = addDays(end, 1)
  }
  return day
}

/** Whether the month was paid before the school used Tatami. */
const isPaidElsewhere = ({ paid_through }: BillingRow, month: Month): boolean =>
  paid_through !== null && firstDayOf(month) <= paid_through

/** The 1st, or the day of enrollment, approval, return or trial end. Null if after the month. */
function firstOwingDay(student: BillingRow, month: Month): string | null {
  const lastDay = lastDayOf(month)
  let start = firstDayOf(month)
  for (const day of [student.enrolled_on, student.pays_since])
    if (day !== null && day > start && day <= lastDay) start = day
  const returnDay = firstDayBack(start, vacationsOf(student))
  return returnDay !== null && returnDay <= lastDay ? returnDay : null
}

/** The day on which a student's month is due. They are late from the next day on. */
export function dueDay(student: BillingRow, month: Month): string {
  const planMonth = planMonthOf(student.base_plans, month)
  if (planMonth) return dueDayOfPlan(student, planMonth, month)
  return firstOwingDay(student, month) ?? lastDayOf(month)
}

/** Holds of a plan are part of its price, so vacations do not count again. */
function dueDayOfPlan(student: BillingRow, { due_on }: PlanMonth, month: Month): string {
  const joiningDay = firstOwingDay({ ...student, ...NO_VACATIONS }, month) ?? lastDayOf(month)
  return due_on !== null && due_on > joiningDay ? due_on : joiningDay
}

const NO_VACATIONS = {
  on_vacation: false,
  vacation_from: null,
  vacation_until: null,
  past_vacations: [],
}

const hasPlanIn = (student: BillingRow, month: Month): boolean =>
  planMonthOf(student.base_plans, month) !== null

/** A trial ends with the first plan, even if the schedule did not run since then. */
const endsTrialIn = (student: BillingRow, month: Month): boolean =>
  hasPlanIn(student, month) && isRegular({ ...student, is_trial: false })

/** Whether the schedule charges a student for a month when it ends. */
export const isChargedForMonth = (student: BillingRow, month: Month): boolean =>
  (isRegular(student) || endsTrialIn(student, month)) &&
  !isPaidElsewhere(student, month) &&
  student.enrolled_on <= lastDayOf(month) &&
  (hasPlanIn(student, month) || firstOwingDay(student, month) !== null)

/** Whether a student owes the current month today, although it has not been charged yet. */
export const paysToday = (student: BillingRow, today: string): boolean =>
  isRegular(student) &&
  !isPaidElsewhere(student, monthOfDate(today)) &&
  (hasPlanIn(student, monthOfDate(today)) || !coversDays(student, today, today))
