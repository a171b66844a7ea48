/** Which days the periods of a subscription have. */

import {
  addDays,
  addMonths,
  dateInMonth,
  dayFrom,
  daysBetween,
  daysInMonth,
  dayOfMonth,
  firstDayOf,
  type Month,
  monthOfDate,
  monthsBetween,
  nextMonth,
} from '../lib/calendar-day.ts'
import type { BilledHold, DayRange } from './billed-holds.ts'

export type Cycle = { unit: 'week' | 'month' | 'year'; count: number }

/** The month and the date from which billing periods count. The date may be later than the month
 *  is long, so that periods from the 31st return to the 31st after a short month. */
export type BillingAnchor = { month: Month; date: number }

export type BilledSubscription = {
  starts_on: string
  /** The last day, before holds move it. */
  ends_on: string | null
  /** True if somebody asked for the end, so that holds do not move it. */
  end_is_final?: boolean
  /** True if `ends_on` is the end of the term that was agreed. All periods then add up to the whole
   *  prices of the term. */
  ends_with_term?: boolean
  /** The agreed last day of a term that somebody asked to end, before holds move it. */
  agreed_end?: string | null
  cycle: Cycle
  /** Periods that start before this day are not charged, because they are older than the record. */
  charges_from?: string | null
  /** `first`: periods start on the 1st. `start`: on the day of the month on which it started.
   *  Weeks always start on the weekday on which the subscription started. */
  billing_day: 'first' | 'start'
  /** The replaced plan whose periods this one continues. If left out, `billing_day` decides. */
  anchor?: BillingAnchor | null
  /** What the days before the first billing day cost. `free` lasts until the next 1st. */
  first_period: 'full' | 'prorated' | 'free'
  /** In order. A period costs what its first day costs. */
  prices: readonly { from: string; cents: number }[]
  holds: readonly BilledHold[]
}

/** The terms that decide which days a period has. */
export type PeriodTerms = Pick<
  BilledSubscription,
  'starts_on' | 'cycle' | 'billing_day' | 'anchor' | 'first_period'
>

export const monthsInCycle = ({ unit, count }: Cycle): number =>
  unit === 'year' ? 12 * count : count

/** True if the subscription starts with some free days before the first billing day. */
const beginsFree = ({ starts_on, cycle, billing_day, anchor, first_period }: PeriodTerms) =>
  cycle.unit !== 'week' &&
  billing_day === 'first' &&
  !anchor &&
  first_period === 'free' &&
  dayOfMonth(starts_on) > 1

/** Where period 0 starts. All others are counted from there. */
export function anchorOf(terms: PeriodTerms): BillingAnchor {
  const { starts_on, billing_day, anchor } = terms
  if (anchor) return anchor
  const month = monthOfDate(starts_on)
  if (billing_day === 'start') return { month, date: dayOfMonth(starts_on) }
  return { month: beginsFree(terms) ? nextMonth(month) : month, date: 1 }
}

function firstDayOfPeriod(terms: PeriodTerms, index: number): string {
  const { cycle, starts_on } = terms
  if (cycle.unit === 'week') return addDays(starts_on, 7 * cycle.count * index)
  const { month, date } = anchorOf(terms)
  return dateInMonth(addMonths(month, monthsInCycle(cycle) * index), date)
}

const lastDayOfPeriod = (terms: PeriodTerms, index: number, firstDay: string): string =>
  terms.cycle.unit === 'week'
    ? addDays(firstDay, 7 * terms.cycle.count - 1)
    : addDays(firstDayOfPeriod(terms, index + 1), -1)

/** The number of the period that contains the day, even if it is before the first one. */
function indexOfDay(terms: PeriodTerms, day: string): number {
  const { cycle, starts_on } = terms
  const index =
    cycle.unit === 'week'
      ? Math.floor(daysBetween(starts_on, day) / (7 * cycle.count))
      : Math.floor(monthsBetween(anchorOf(terms).month, monthOfDate(day)) / monthsInCycle(cycle))
  return firstDayOfPeriod(terms, index) <= day ? index : index - 1
}

export const firstIndex = (terms: PeriodTerms): number => indexOfDay(terms, terms.starts_on)

/** Free days before the first billing day are a period of their own. */
export const isFreePeriod = (terms: PeriodTerms, index: number): boolean =>
  beginsFree(terms) && index === firstIndex(terms)

/** The number of the period that contains the day, or of the first one. */
export const indexOfPeriod = (terms: PeriodTerms, day: string): number =>
  indexOfDay(terms, day > terms.starts_on ? day : terms.starts_on)

/** The days of a month on which periods start. The subscription starts before the month. */
export function firstDaysOfPeriods(terms: PeriodTerms, month: Month): string[] {
  const { cycle, starts_on } = terms
  if (cycle.unit !== 'week') {
    const anchor = anchorOf(terms)
    const beginsPeriod = monthsBetween(anchor.month, month) % monthsInCycle(cycle) === 0
    return beginsPeriod ? [dateInMonth(month, anchor.date)] : []
  }
  const length = 7 * cycle.count
  const daysSinceStart = daysBetween(starts_on, firstDayOf(month))
  const daysToWait = (length - (daysSinceStart % length)) % length
  const days: string[] = []
  for (let date = 1 + daysToWait; date <= daysInMonth(month); date += length)
    days.push(dayFrom(month, date))
  return days
}

export type PeriodDays = {
  /** The days that belong to the subscription. */
  range: DayRange
  /** The days that the whole price pays for. */
  pricedRange: DayRange
}

export function daysOfPeriod(terms: PeriodTerms, index: number, end: string | null): PeriodDays {
  const { starts_on, first_period } = terms
  const firstDay = firstDayOfPeriod(terms, index)
  const lastDay = lastDayOfPeriod(terms, index, firstDay)
  const beginsLater = firstDay < starts_on
  return {
    range: {
      from: beginsLater ? starts_on : firstDay,
      until: end !== null && end < lastDay ? end : lastDay,
    },
    pricedRange: {
      from: beginsLater && first_period === 'full' ? starts_on : firstDay,
      until: lastDay,
    },
  }
}
