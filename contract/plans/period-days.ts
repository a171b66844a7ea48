/** Which days the periods of a subscription have. */

import {
  addDays,
  addMonthsToDay,
  daysBetween,
  dayOfMonth,
  firstDayOf,
  monthOfDate,
  monthsBetween,
  nextMonth,
} from '../lib/calendar-day.ts'
import type { BilledHold, DayRange } from './billed-holds.ts'

export type Cycle = { unit: 'week' | 'month' | 'year'; count: number }

export type BilledSubscription = {
  starts_on: string
  /** The last day, before holds move it. If the end was asked for and is final, pass the holds with
   *  `moves_end: false`. */
  ends_on: string | null
  cycle: Cycle
  /** `first`: periods begin on the 1st. `start`: on the day of the month on which it started.
   *  Weeks always begin on the weekday on which the subscription started. */
  billing_day: 'first' | 'start'
  /** What the days before the first billing day cost. `free` lasts until the next 1st. */
  first_period: 'full' | 'prorated' | 'free'
  /** In order. A period costs what its first day costs. */
  prices: readonly { from: string; cents: number }[]
  holds: readonly BilledHold[]
}

/** The terms that decide which days a period has. */
export type PeriodTerms = Pick<
  BilledSubscription,
  'starts_on' | 'cycle' | 'billing_day' | 'first_period'
>

export const monthsInCycle = ({ unit, count }: Cycle): number =>
  unit === 'year' ? 12 * count : count

/** True if the subscription begins with some free days before the first billing day. */
const beginsFree = ({ starts_on, cycle, billing_day, first_period }: PeriodTerms): boolean =>
  cycle.unit !== 'week' &&
  billing_day === 'first' &&
  first_period === 'free' &&
  dayOfMonth(starts_on) > 1

/** The first day of period 0. All others are counted from this day, so that a subscription from
 *  the 31st returns to the 31st after a short month. */
function anchorDay(terms: PeriodTerms): string {
  const { starts_on, cycle, billing_day } = terms
  if (cycle.unit === 'week' || billing_day === 'start') return starts_on
  const month = monthOfDate(starts_on)
  return firstDayOf(beginsFree(terms) ? nextMonth(month) : month)
}

function firstDayOfPeriod(terms: PeriodTerms, index: number): string {
  const { cycle } = terms
  const anchor = anchorDay(terms)
  return cycle.unit === 'week'
    ? addDays(anchor, 7 * cycle.count * index)
    : addMonthsToDay(anchor, monthsInCycle(cycle) * index)
}

/** Free days before the first billing day are period -1. */
export const firstIndex = (terms: PeriodTerms): number => (beginsFree(terms) ? -1 : 0)

/** The number of the period that contains the day, or of the first one. */
export function indexOfPeriod(terms: PeriodTerms, day: string): number {
  const { cycle } = terms
  const anchor = anchorDay(terms)
  const index =
    cycle.unit === 'week'
      ? Math.floor(daysBetween(anchor, day) / (7 * cycle.count))
      : Math.floor(monthsBetween(monthOfDate(anchor), monthOfDate(day)) / monthsInCycle(cycle))
  const hasBegun = firstDayOfPeriod(terms, index) <= day
  return Math.max(firstIndex(terms), hasBegun ? index : index - 1)
}

/** The days of a period that belong to the subscription. */
export function rangeOfPeriod(terms: PeriodTerms, index: number, end: string | null): DayRange {
  const firstDay = firstDayOfPeriod(terms, index)
  const lastDay = addDays(firstDayOfPeriod(terms, index + 1), -1)
  return {
    from: firstDay < terms.starts_on ? terms.starts_on : firstDay,
    until: end !== null && end < lastDay ? end : lastDay,
  }
}

/** The days that the whole price pays for. */
export function pricedRange(terms: PeriodTerms, index: number): DayRange {
  const firstDay = firstDayOfPeriod(terms, index)
  const lastDay = addDays(firstDayOfPeriod(terms, index + 1), -1)
  const isFullFromStart = firstDay < terms.starts_on && terms.first_period === 'full'
  return { from: isFullFromStart ? terms.starts_on : firstDay, until: lastDay }
}
