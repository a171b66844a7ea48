/** When a subscription can end, when it renews, and when members are told. */

import {
  addDays,
  addMonths,
  addMonthsToDay,
  dateInMonth,
  monthOfDate,
} from '../lib/calendar-day.ts'
import { type BilledHold, endAfterHolds } from './billed-holds.ts'
import type { Cycle } from './period-days.ts'

export type EndTerms = {
  kind: 'open' | 'term' | 'renewing'
  starts_on: string
  cycle: Cycle
  /** Of the first term. A `term` of 0 months lasts one cycle. */
  minimum_months: number
  /** The length of each term after the first. 0 means that it continues month to month. */
  renews_for_months: number
  notice_days: number
  holds: readonly BilledHold[]
  /** The first days of the terms that began after the payer was told in time. */
  told_renewals: readonly string[]
  /** The last day that was promised with the plan before a change, apart from holds since then. */
  bound_until?: string | null
  /** The date of the billing periods, which may be later than the first month is long. */
  billing_date?: number | null
}

/** What decides how long a member is bound. */
type BindingTerms = Omit<EndTerms, 'notice_days'>

export type Term = { from: string; until: string }

const laterDay = (a: string, b: string): string => (a > b ? a : b)

/** An open hold counts as ended on `day`, so that a term that it moves has a last day. */
const endOpenHolds = (holds: readonly BilledHold[], day: string): BilledHold[] =>
  holds
    .filter(({ from, until }) => until !== null || from <= day)
    .map((hold) => ({ ...hold, until: hold.until ?? day }))

/** The last day of the first term before holds move it, or null if there is none. */
export function agreedEnd(terms: AgreedTerms): string | null {
  const { kind, starts_on, cycle, minimum_months } = terms
  if (minimum_months > 0) return lastDayAfter(terms, minimum_months)
  if (kind === 'open') return null
  if (cycle.unit === 'week') return addDays(starts_on, 7 * cycle.count - 1)
  const months = cycle.unit === 'year' ? 12 * cycle.count : cycle.count
  return lastDayAfter(terms, months)
}
type StartTerms = Pick<EndTerms, 'starts_on' | 'billing_date'>
type AgreedTerms = StartTerms & Pick<EndTerms, 'kind' | 'cycle' | 'minimum_months'>

/** The day before a date some months after the start. A plan from February 28 whose periods start
 *  on the 31st ends on the 30th. */
function lastDayAfter({ starts_on, billing_date }: StartTerms, months: number): string {
  const firstMonth = monthOfDate(starts_on)
  const isOnBillingDate = billing_date && starts_on === dateInMonth(firstMonth, billing_date)
  const dayAfter = isOnBillingDate
    ? dateInMonth(addMonths(firstMonth, months), billing_date)
    : addMonthsToDay(starts_on, months)
  return addDays(dayAfter, -1)
}

/** The term to which a member is bound on a day: the first, or a renewed one that the payer was
 *  told about. Null if the subscription continues month to month. */
export function termOn(terms: BindingTerms, day: string): Term | null {
  const { kind, starts_on, minimum_months, renews_for_months, told_renewals } = terms
  const holds = endOpenHolds(terms.holds, day)
  let agreedLastDay = agreedEnd(terms)
  if (agreedLastDay === null) return null
  let term = {
    from: starts_on,
    until: endAfterHolds({ starts_on, ends_on: agreedLastDay, holds }) ?? day,
  }
  for (let count = 1; term.until < day; count += 1) {
    if (kind !== 'renewing' || renews_for_months === 0) return null
    const firstDay = addDays(term.until, 1)
    if (!told_renewals.includes(firstDay)) return null
    const months = minimum_months + count * renews_for_months
    agreedLastDay = lastDayAfter(terms, months)
    const lastDay = endAfterHolds({ starts_on, ends_on: agreedLastDay, holds }) ?? day
    term = { from: firstDay, until: lastDay }
  }
  return term
}

/** The last day to which a member is bound on a day, by a term or by a promise that was made with
 *  the plan before a change. Null if the member is not bound. */
export function lastBoundDay(terms: BindingTerms, day: string): string | null {
  const { starts_on, bound_until: ends_on = null } = terms
  const holds = endOpenHolds(terms.holds, day)
  const promisedDay = ends_on && (endAfterHolds({ starts_on, ends_on, holds }) ?? day)
  const lastDays = [termOn(terms, day)?.until, promisedDay]
  return (
    lastDays
      .flatMap((lastDay) => (lastDay && lastDay >= day ? lastDay : []))
      .toSorted()
      .at(-1) ?? null
  )
}

/** The last day of a plan that a member cancels on `askedOn`: after the notice, and not before the
 *  minimum term ends. A plan with a term ends with its term in any case. */
export function lastDayAfterNotice(terms: EndTerms, askedOn: string): string {
  const day = laterDay(askedOn, terms.starts_on)
  const term = termOn(terms, day)
  if (terms.kind === 'term' && term) return term.until
  return laterDay(addDays(askedOn, terms.notice_days), lastBoundDay(terms, day) ?? askedOn)
}

/** The first day of the next term, if the plan renews and the current term was agreed. */
export function nextRenewal(terms: EndTerms, day: string): string | null {
  if (terms.kind !== 'renewing' || terms.renews_for_months === 0) return null
  const term = termOn(terms, laterDay(day, terms.starts_on))
  return term && addDays(term.until, 1)
}

/** Members of a plan without a term are reminded once a year that it continues. */
export function nextAnniversary(startsOn: string, day: string): string {
  for (let years = 1; ; years += 1) {
    const anniversary = addMonthsToDay(startsOn, 12 * years)
    if (anniversary >= day) return anniversary
  }
}

/** The day on which the payer is told about a renewal or another price. */
export const noticeDay = (effectiveOn: string, daysBefore: number): string =>
  addDays(effectiveOn, -daysBefore)

export const HOLD_NOTICE_DAYS = 7
export const holdNoticeDay = (lastDayOfHold: string): string =>
  addDays(lastDayOfHold, -HOLD_NOTICE_DAYS)

const OPEN_HOLD_QUESTION_DAYS = 30
/** The day on which staff are next asked whether an open hold continues. */
export const nextHoldQuestion = (startsOn: string, askedOn: string | null): string =>
  addDays(askedOn ?? startsOn, OPEN_HOLD_QUESTION_DAYS)

/** Until this day, whoever ends the subscription gets everything back. Null without such a rule. */
export const lastCoolingOffDay = (agreedOn: string, days: number): string | null =>
  days > 0 ? addDays(agreedOn, days) : null
