/** What a subscription costs, period by period. Days are ISO strings, so time zones and daylight
 *  saving play no part. */

import {
  addDays,
  addMonthsToDay,
  daysBetween,
  firstDayOf,
  lastDayOf,
  type Month,
} from '../lib/calendar-day.ts'
import { prorateCents, sumCents } from '../lib/money.ts'
import {
  type BilledHold,
  countDays,
  coversDay,
  type DayRange,
  daysIn,
  holdOnDay,
  movedEnd,
  overlaps,
} from './billed-holds.ts'
import {
  type BilledSubscription,
  type Cycle,
  indexOfPeriod,
  monthsInCycle,
  pricedRange,
  rangeOfPeriod,
} from './period-days.ts'
import { formatMonthAndDay } from './plan-days.ts'

export type { BilledHold } from './billed-holds.ts'
export type { BilledSubscription, Cycle } from './period-days.ts'

export type BilledPeriod = {
  from: string
  until: string
  due_on: string
  cents: number
  /** Why it costs less than the price: "15 of 31 days", "on hold". */
  reason: string | null
}

/** All periods that begin by `lastDay`, in order and without a gap, even if they cost nothing. */
export const periodsUntil = (subscription: BilledSubscription, lastDay: string): BilledPeriod[] =>
  periodsFrom(subscription, subscription.starts_on, lastDay)

/** The sum of the periods that fall due in a month. `due_on` is null if nothing is due. */
export function monthCents(
  subscription: BilledSubscription,
  month: Month,
): { cents: number; due_on: string | null; reason: string | null } {
  if (isPlainMonth(subscription, month)) return plainMonth(subscription, month)
  const periods = periodsFrom(subscription, firstDayOf(month), lastDayOf(month)).filter(
    ({ due_on }) => due_on >= firstDayOf(month),
  )
  const reasons = new Set(periods.flatMap(({ reason }) => reason ?? []))
  return {
    cents: sumCents(periods.map(({ cents }) => cents)),
    due_on: periods.find(({ cents }) => cents > 0)?.due_on ?? null,
    reason: [...reasons].join(', ') || null,
  }
}

/** True if the month is one whole period that costs its price, as almost all months are. */
function isPlainMonth(subscription: BilledSubscription, month: Month): boolean {
  const { starts_on, ends_on, cycle, billing_day, holds } = subscription
  return (
    holds.length === 0 &&
    ends_on === null &&
    starts_on <= firstDayOf(month) &&
    billing_day === 'first' &&
    cycle.unit === 'month' &&
    cycle.count === 1
  )
}

function plainMonth(subscription: BilledSubscription, month: Month) {
  const cents = priceOn(subscription, firstDayOf(month))
  return { cents, due_on: cents > 0 ? firstDayOf(month) : null, reason: null }
}

/** The first period that costs something and falls due on `day` or later. Null if there is none, or
 *  none for more than a year because of a hold. */
export function nextDuePeriod(subscription: BilledSubscription, day: string): BilledPeriod | null {
  const lastDay = addMonthsToDay(day, 13 + monthsInCycle(subscription.cycle))
  const periods = periodsFrom(subscription, day, lastDay)
  return periods.find(({ due_on, cents }) => due_on >= day && cents > 0) ?? null
}

/** The price of any cycle as the price of a month, for sorting and figures. */
export function monthlyCents(cents: number, { unit, count }: Cycle): number {
  if (unit === 'week') return prorateCents(cents, 52, 12 * count)
  return prorateCents(cents, 1, unit === 'year' ? 12 * count : count)
}

/** The periods from the one that contains `day` (or the first) to the last that begins by
 *  `lastDay`. */
function periodsFrom(
  subscription: BilledSubscription,
  day: string,
  lastDay: string,
): BilledPeriod[] {
  const end = movedEnd(subscription)
  const paidUpFrom = firstMadeUpDay(subscription, end)
  const periods: BilledPeriod[] = []
  for (let index = indexOfPeriod(subscription, day); ; index += 1) {
    const range = rangeOfPeriod(subscription, index, end)
    if (range.from > lastDay || range.from > range.until) return periods
    periods.push(billPeriod(subscription, index, range, paidUpFrom))
  }
}

function priceOn({ prices }: BilledSubscription, day: string): number {
  const price = prices.findLast(({ from }) => from <= day) ?? prices[0]
  return price?.cents ?? 0
}

type DayCounts = {
  /** The days that cost their part of the price. */
  charged: number
  onHold: number
  /** Days for which a fee is paid instead, by the fee. */
  byFee: Map<number, number>
}

function billPeriod(
  subscription: BilledSubscription,
  index: number,
  range: DayRange,
  paidUpFrom: string | null,
): BilledPeriod {
  const period = { ...range, due_on: range.from }
  if (index < 0)
    return { ...period, cents: 0, reason: `free through ${formatMonthAndDay(range.until)}` }
  const counts = countDaysByBilling(subscription, range, paidUpFrom)
  const cents = priceOn(subscription, range.from)
  return {
    ...period,
    cents: centsOf(counts, cents, range, pricedRange(subscription, index)),
    reason: reasonOf(counts, range, pricedRange(subscription, index)),
  }
}

/** Days after the end are counted along and taken off again, so that the parts of a period which is
 *  split between two subscriptions add up to the whole price. */
function centsOf(counts: DayCounts, cents: number, range: DayRange, wholeRange: DayRange): number {
  const daysInAll = countDays(wholeRange)
  const daysAfter = daysBetween(range.until, wholeRange.until)
  const priceCents =
    prorateCents(cents, counts.charged + daysAfter, daysInAll) -
    prorateCents(cents, daysAfter, daysInAll)
  const feeCents = [...counts.byFee].map(([fee, days]) => prorateCents(fee, days, daysInAll))
  return priceCents + sumCents(feeCents)
}

function reasonOf({ charged, onHold }: DayCounts, range: DayRange, wholeRange: DayRange) {
  const daysInAll = countDays(wholeRange)
  if (charged === daysInAll) return null
  if (charged > 0) return `${charged} of ${daysInAll} days`
  return onHold === countDays(range) ? 'on hold' : 'makes up for a hold'
}

function countDaysByBilling(
  subscription: BilledSubscription,
  range: DayRange,
  paidUpFrom: string | null,
): DayCounts {
  const counts: DayCounts = { charged: countDays(range), onHold: 0, byFee: new Map() }
  const holds = subscription.holds.filter((hold) => overlaps(hold, range))
  if (holds.length === 0 && (paidUpFrom === null || paidUpFrom > range.until)) return counts
  counts.charged = 0
  const isFree = isWhollyOnHold(holds, range)
  for (const day of daysIn(range)) {
    const hold = holdOnDay(holds, day)
    const isMadeUp = paidUpFrom !== null && day >= paidUpFrom
    if (hold?.billing === 'fee') {
      counts.onHold += 1
      counts.byFee.set(hold.fee_cents, (counts.byFee.get(hold.fee_cents) ?? 0) + 1)
    } else if (hold && !isPaidOnHold(hold, isFree)) counts.onHold += 1
    else if (!isMadeUp) counts.charged += 1
  }
  return counts
}

const isWhollyOnHold = (holds: readonly BilledHold[], range: DayRange): boolean =>
  daysIn(range).every((day) => {
    const hold = holdOnDay(holds, day)
    return hold !== null && hold.billing !== 'full'
  })

/** True if a day on hold costs its part of the price all the same. */
const isPaidOnHold = ({ billing }: BilledHold, isPeriodFree: boolean): boolean =>
  billing === 'full' || (billing === 'free' && !isPeriodFree)

/** Days on hold that were paid for move the end. As many days before the new end cost nothing:
 *  this is the first of them. */
function firstMadeUpDay(subscription: BilledSubscription, end: string | null): string | null {
  if (end === null || end === subscription.ends_on) return null
  let paidDays = 0
  for (let index = 0; ; index += 1) {
    const range = rangeOfPeriod(subscription, index, end)
    if (range.from > range.until) break
    paidDays += countPaidHoldDays(subscription.holds, range)
  }
  return paidDays > 0 ? addDays(end, 1 - paidDays) : null
}

function countPaidHoldDays(allHolds: readonly BilledHold[], range: DayRange): number {
  const holds = allHolds.filter((hold) => overlaps(hold, range))
  if (!holds.some(({ moves_end }) => moves_end)) return 0
  const isFree = isWhollyOnHold(holds, range)
  return daysIn(range).filter((day) => {
    const hold = holdOnDay(holds, day)
    const movesEnd = holds.some((candidate) => candidate.moves_end && coversDay(candidate, day))
    return hold !== null && movesEnd && isPaidOnHold(hold, isFree)
  }).length
}
