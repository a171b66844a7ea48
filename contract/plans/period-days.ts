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

export const monthsInCycle = ({ unit, count }: Cycle): number =>
  unit === 'year' ? 12 * count : count

/** True if the subscription begins with some free days before the first billing day. */
const beginsFree = ({ starts_on, cycle, billing_day, first_period }: BilledSubscription): boolean =>
  cycle.unit !== 'week' &&
  billing_day === 'first' &&
  first_period === 'free' &&
  dayOfMonth(starts_on) > 1

/** The first day of period 0. All others are counted from this day, so that a subscription from
 *  the 31st returns to the 31st after a short month. */
function anchorDay(subscription: BilledSubscription): string {
  const { starts_on, cycle, billing_day } = subscription
  if (cycle.unit === 'week' || billing_day === 'start') return starts_on
  const month = monthOfDate(starts_on)
  return firstDayOf(beginsFree(subscription) ? nextMonth(month) : month)
}

function firstDayOfPeriod(subscription: BilledSubscription, index: number): string {
  const { cycle } = subscription
  const anchor = anchorDay(subscription)
  return cycle.unit === 'week'
    ? addDays(anchor, 7 * cycle.count * index)
    : addMonthsToDay(anchor, monthsInCycle(cycle) * index)
}

/** Free days before the first billing day are period -1. */
export const firstIndex = (subscription: BilledSubscription): number =>
  beginsFree(subscription) ? -1 : 0

/** The number of the period that contains the day, or of the first one. */
export function indexOfPeriod(subscription: BilledSubscription, day: string): number {
  const { cycle } = subscription
  const anchor = anchorDay(subscription)
  const index =
    cycle.unit === 'week'
      ? Math.floor(daysBetween(anchor, day) / (7 * cycle.count))
      : Math.floor(monthsBetween(monthOfDate(anchor), monthOfDate(day)) / monthsInCycle(cycle))
  const hasBegun = firstDayOfPeriod(subscription, index) <= day
  return Math.max(firstIndex(subscription), hasBegun ? index : index - 1)
}

/** The days of a period that belong to the subscription. */
export function rangeOfPeriod(
  subscription: BilledSubscription,
  index: number,
  end: string | null,
): DayRange {
  const firstDay = firstDayOfPeriod(subscription, index)
  const lastDay = addDays(firstDayOfPeriod(subscription, index + 1), -1)
  return {
    from: firstDay < subscription.starts_on ? subscription.starts_on : firstDay,
    until: end !== null && end < lastDay ? end : lastDay,
  }
}

/** The days that the whole price pays for. */
export function pricedRange(subscription: BilledSubscription, index: number): DayRange {
  const firstDay = firstDayOfPeriod(subscription, index)
  const lastDay = addDays(firstDayOfPeriod(subscription, index + 1), -1)
  const isFullFromStart = firstDay < subscription.starts_on && subscription.first_period === 'full'
  return { from: isFullFromStart ? subscription.starts_on : firstDay, until: lastDay }
}
