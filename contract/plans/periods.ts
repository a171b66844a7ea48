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
  type DayRange,
  holdOnDay,
  isPaidOnHold,
  endAfterHolds,
  overlaps,
  splitByHolds,
} from './billed-holds.ts'
import {
  type BilledSubscription,
  type Cycle,
  daysOfPeriod,
  firstDaysOfPeriods,
  indexOfPeriod,
  isFreePeriod,
  monthsInCycle,
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

/** All periods that start by `lastDay`, in order and without a gap, even if they cost nothing. */
export const periodsUntil = (subscription: BilledSubscription, lastDay: string): BilledPeriod[] =>
  periodsFrom(subscription, subscription.starts_on, lastDay)

type MonthSum = { cents: number; due_on: string | null; reason: string | null }

/** The sum of the periods that fall due in a month. `due_on` is null if nothing is due. */
export function calculateMonthSum(subscription: BilledSubscription, month: Month): MonthSum {
  const firstDay = firstDayOf(month)
  if (hasWholePeriodsFrom(subscription, firstDay)) return wholePeriodsIn(subscription, month)
  const periods = periodsFrom(subscription, firstDay, lastDayOf(month)).filter(
    ({ due_on }) => due_on >= firstDay,
  )
  const reasons = new Set(periods.flatMap(({ reason }) => reason ?? []))
  return {
    cents: sumCents(periods.map(({ cents }) => cents)),
    due_on: periods.find(({ cents }) => cents > 0)?.due_on ?? null,
    reason: [...reasons].join(', ') || null,
  }
}

/** True if each period that starts on this day or later costs its price, as almost all do. */
const hasWholePeriodsFrom = (
  { starts_on, ends_on, holds, charges_from }: BilledSubscription,
  day: string,
): boolean =>
  starts_on < day &&
  ends_on === null &&
  (!charges_from || charges_from <= day) &&
  holds.every(({ until }) => until !== null && until < day)

function wholePeriodsIn(subscription: BilledSubscription, month: Month): MonthSum {
  const firstDays = firstDaysOfPeriods(subscription, month)
  const prices = firstDays.map((day) => priceOn(subscription, day))
  return {
    cents: sumCents(prices),
    due_on: firstDays.find((_, index) => prices[index] !== 0) ?? null,
    reason: null,
  }
}

/** Converts the price of a cycle to the price of a month, for sorting and figures. */
export function toMonthlyCents(cents: number, { unit, count }: Cycle): number {
  if (unit === 'week') return prorateCents(cents, 52, 12 * count)
  return prorateCents(cents, 1, unit === 'year' ? 12 * count : count)
}

/** What a subscription with a last day costs from its first to its last day. Null without one. */
export function calculateTotalCents(subscription: BilledSubscription): number | null {
  const end = endAfterHolds(subscription)
  if (end === null) return null
  return sumCents(periodsUntil(subscription, end).map(({ cents }) => cents))
}

/** The periods from the one that contains `day` (or the first) to the last that starts by
 *  `lastDay`. */
function periodsFrom(
  storedSubscription: BilledSubscription,
  day: string,
  lastDay: string,
): BilledPeriod[] {
  const subscription = withAgreedEnd(storedSubscription)
  const periods = hasFixedTotal(subscription)
    ? termPeriods(subscription, lastDay).filter(({ until }) => until >= day)
    : plainPeriods(subscription, day, lastDay)
  const { charges_from = null } = subscription
  if (charges_from === null) return periods
  return periods.map((period) =>
    period.from < charges_from ? { ...period, cents: 0, reason: 'not charged' } : period,
  )
}

/** A term costs what was agreed, even if somebody asked to end it on its last day. */
function withAgreedEnd(subscription: BilledSubscription): BilledSubscription {
  const { starts_on, ends_on, holds, agreed_end = null } = subscription
  if (agreed_end === null) return subscription
  const term = { ...subscription, ends_on: agreed_end, end_is_final: false, ends_with_term: true }
  return endAfterHolds({ starts_on, ends_on: agreed_end, holds }) === ends_on ? term : subscription
}

function plainPeriods(
  subscription: BilledSubscription,
  day: string,
  lastDay: string,
): BilledPeriod[] {
  const end = endAfterHolds(subscription)
  return rangesFrom(subscription, day, lastDay, end).map((range) => {
    if (isWholePeriod(subscription, range)) return wholePeriod(subscription, range)
    const counts = countDaysByBilling(subscription.holds, range)
    const cents = priceOfRange(subscription, range, counts.charged)
    return billPeriod(subscription, range, counts, { cents })
  })
}

/** True if the period costs just its price, as most do. This needs no counting of days. */
const isWholePeriod = (
  subscription: BilledSubscription,
  { index, priced, ...range }: PeriodRange,
): boolean =>
  range.from === priced.from &&
  range.until === priced.until &&
  !subscription.holds.some((hold) => overlaps(hold, range)) &&
  !isFreePeriod(subscription, index)

const wholePeriod = (
  subscription: BilledSubscription,
  { from: firstDay, until }: PeriodRange,
): BilledPeriod => ({
  ...{ from: firstDay, until, due_on: firstDay },
  ...{ cents: priceOn(subscription, firstDay), reason: null },
})

/** The days of a period, and the days that its whole price pays for. */
type PeriodRange = DayRange & { index: number; priced: DayRange }

function rangesFrom(
  subscription: BilledSubscription,
  day: string,
  lastDay: string,
  end: string | null,
): PeriodRange[] {
  const ranges: PeriodRange[] = []
  for (let index = indexOfPeriod(subscription, day); ; index += 1) {
    const { range, pricedRange } = daysOfPeriod(subscription, index, end)
    if (range.from > lastDay || range.from > range.until) return ranges
    ranges.push({ ...range, index, priced: pricedRange })
  }
}

/** True if holds do not change the total: they move the end, or a term was agreed. */
const hasFixedTotal = ({
  ends_on,
  end_is_final,
  ends_with_term,
  holds,
}: BilledSubscription): boolean =>
  ends_on !== null &&
  !end_is_final &&
  (Boolean(ends_with_term) || holds.some(({ moves_end }) => moves_end))

/**
 * The periods of a subscription with a fixed total. Days on hold that move the end are charged at
 * the end, where the periods cost the rest of the total. Then the days of other holds are deducted.
 */
function termPeriods(subscription: BilledSubscription, lastDay: string): BilledPeriod[] {
  const { starts_on, holds } = subscription
  const end = endAfterHolds(subscription)
  const movingHolds = holds.filter(({ moves_end }) => moves_end)
  let centsLeft = calculateFixedTotal(subscription)
  return rangesFrom(subscription, starts_on, lastDay, end).map((range) => {
    const { charged } = countDaysByBilling(movingHolds, range)
    const centsByDays = priceOfRange(subscription, range, charged)
    const cents = range.until === end ? centsLeft : Math.min(centsByDays, centsLeft)
    centsLeft -= cents
    const counts = countDaysByBilling(holds, range)
    const period = billPeriod(subscription, range, counts, {
      cents: prorateCents(cents, counts.charged, charged),
    })
    const isRemainder = cents !== centsByDays && counts.charged > 0
    return isRemainder
      ? { ...period, reason: cents === 0 ? 'paid already' : 'rest of the term' }
      : period
  })
}

/** The cost of all periods without holds. If the first and the last period of an agreed term are
 *  two parts of one period, together they cost its price. */
function calculateFixedTotal(subscription: BilledSubscription): number {
  const { starts_on, ends_on } = subscription
  if (ends_on === null) return 0
  const ranges = rangesFrom(subscription, starts_on, ends_on, ends_on)
  const cents = ranges.map((range) => priceOfRange(subscription, range, countDays(range)))
  const [firstRange] = ranges
  const lastRange = ranges.at(-1)
  if (!firstRange || !lastRange || !areOnePeriod(subscription, firstRange, lastRange))
    return sumCents(cents)
  const price = priceOn(subscription, lastRange.from)
  const firstCents = priceOfDays(price, firstRange, countDays(firstRange))
  return sumCents(cents.slice(0, -1)) + price - firstCents
}

/** True if the first and the last period of an agreed term together have the days of one period. */
function areOnePeriod(
  { starts_on, ends_on, ends_with_term, cycle, ...terms }: BilledSubscription,
  firstRange: PeriodRange,
  lastRange: PeriodRange,
): boolean {
  if (!ends_with_term || ends_on === null || cycle.unit === 'week') return false
  if (isFreePeriod({ ...terms, starts_on, cycle }, firstRange.index)) return false
  const periodCount = lastRange.index - firstRange.index
  const dayAfter = addMonthsToDay(starts_on, periodCount * monthsInCycle(cycle))
  return periodCount > 0 && dayAfter === addDays(ends_on, 1)
}

function priceOn({ prices }: BilledSubscription, day: string): number {
  const price = prices.findLast(({ from }) => from <= day) ?? prices[0]
  return price?.cents ?? 0
}

const priceOfRange = (
  subscription: BilledSubscription,
  range: PeriodRange,
  chargedDays: number,
): number =>
  isFreePeriod(subscription, range.index)
    ? 0
    : priceOfDays(priceOn(subscription, range.from), range, chargedDays)

/** Prorates the price of a period for some of its days. If two subscriptions share a period, their
 *  parts must add up to the whole price in spite of rounding. So this subtracts the price of the
 *  days after the range from the price up to the end of the period. */
function priceOfDays(cents: number, { until, priced }: PeriodRange, days: number): number {
  const totalDays = countDays(priced)
  const daysAfter = daysBetween(until, priced.until)
  return (
    prorateCents(cents, days + daysAfter, totalDays) - prorateCents(cents, daysAfter, totalDays)
  )
}

export type DayCounts = {
  /** The days that cost their part of the price. */
  charged: number
  /** Days for which a fee is paid instead, by the fee. */
  byFee: Map<number, number>
}

function billPeriod(
  subscription: BilledSubscription,
  range: PeriodRange,
  counts: DayCounts,
  { cents }: { cents: number },
): BilledPeriod {
  const { from, until, index, priced } = range
  const period = { from, until, due_on: from }
  if (isFreePeriod(subscription, index))
    return { ...period, cents: 0, reason: `free through ${formatMonthAndDay(until)}` }
  const feeCents = [...counts.byFee].map(([fee, days]) =>
    prorateCents(fee, days, countDays(priced)),
  )
  return { ...period, cents: cents + sumCents(feeCents), reason: reasonOf(counts, range) }
}

function reasonOf({ charged }: DayCounts, { priced }: PeriodRange): string | null {
  const totalDays = countDays(priced)
  if (charged === totalDays) return null
  return charged > 0 ? `${charged} of ${totalDays} days` : 'on hold'
}

/** What the days of a range cost: their part of the price, the fee of a hold, or nothing. */
export function countDaysByBilling(allHolds: readonly BilledHold[], range: DayRange): DayCounts {
  const holds = allHolds.filter((hold) => overlaps(hold, range))
  if (holds.length === 0) return { charged: countDays(range), byFee: new Map() }
  const counts: DayCounts = { charged: 0, byFee: new Map() }
  for (const part of splitByHolds(holds, range)) {
    const hold = holdOnDay(holds, part.from)
    if (hold === null || isPaidOnHold(hold)) counts.charged += countDays(part)
    else if (hold.billing === 'fee')
      counts.byFee.set(hold.fee_cents, (counts.byFee.get(hold.fee_cents) ?? 0) + countDays(part))
  }
  return counts
}
