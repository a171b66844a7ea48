/** What a plan promises and costs besides its price, in short lines for lists. */

import { MONTHS } from '../lib/calendar-day.ts'
import { formatShortMoney } from '../lib/money.ts'
import { describeLimit } from './plan-words.ts'

type PlanFacts = {
  kind: 'open' | 'term' | 'renewing' | 'pack' | 'drop_in'
  cycle_unit: 'week' | 'month' | 'year'
  cycle_count: number
  minimum_months: number
  renews_for_months: number
  notice_days: number
  entry_limit: number | null
  entry_limit_per: 'day' | 'week' | 'cycle' | null
  valid_days: number | null
  /** Null for staff who may not see prices. */
  sign_up_fee: number | null
  yearly_fee: number | null
  /** 0 is January. */
  yearly_fee_month: number | null
  early_end_fee: number | null
}

/** "Twice a week", "At least 6 months", "Sign-up fee $50" */
export function listPlanTerms(plan: PlanFacts): string[] {
  const { valid_days, notice_days } = plan
  return [
    describeEntries(plan),
    valid_days !== null && `Valid for ${quantity(valid_days, 'day')}`,
    describeTerm(plan),
    notice_days > 0 && `${notice_days === 1 ? '1 day’s' : `${notice_days} days’`} notice`,
    ...listFees(plan),
  ].filter((fact) => fact !== false)
}

const describeEntries = ({ entry_limit, entry_limit_per }: PlanFacts): string | false =>
  entry_limit !== null &&
  entry_limit_per !== null &&
  describeLimit({ count: entry_limit, per: entry_limit_per })

function describeTerm(plan: PlanFacts): string | false {
  const { kind, minimum_months, renews_for_months, cycle_unit, cycle_count } = plan
  if (minimum_months === 0)
    return kind === 'term' && `Ends after ${quantity(cycle_count, cycle_unit)}`
  const term = quantity(minimum_months, 'month')
  if (kind === 'term') return `Ends after ${term}`
  if (kind === 'open') return `At least ${term}`
  return renews_for_months === 0
    ? `${term}, then month by month`
    : `${term}, then renews for ${quantity(renews_for_months, 'month')}`
}

const listFees = ({ sign_up_fee, yearly_fee, yearly_fee_month, early_end_fee }: PlanFacts) => [
  !!sign_up_fee && `Sign-up fee ${formatShortMoney(sign_up_fee)}`,
  !!yearly_fee &&
    `Yearly fee ${formatShortMoney(yearly_fee)} in ${MONTHS[yearly_fee_month ?? 0] ?? ''}`,
  !!early_end_fee && `Ending early costs ${formatShortMoney(early_end_fee)}`,
]

const quantity = (count: number, unit: string) => `${count} ${count === 1 ? unit : `${unit}s`}`

/** "Ages 5–12". False for everybody. */
export function describeAges({
  age_from,
  age_until,
}: {
  age_from: number | null
  age_until: number | null
}): string | false {
  if (age_from !== null && age_until !== null) return `Ages ${age_from}–${age_until}`
  if (age_from !== null) return `From age ${age_from}`
  return age_until !== null && `Up to age ${age_until}`
}

/** True while the age is not known. */
export const isForAge = (
  { age_from, age_until }: { age_from: number | null; age_until: number | null },
  age: number | null,
): boolean => age === null || (age >= (age_from ?? 0) && age <= (age_until ?? age))
