import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  addMonthsToDay,
  dayOfMonth,
  daysBetween,
  daysInMonth,
  monthOfDate,
  monthsBetween,
  monthsFrom,
} from '../lib/calendar-day.ts'
import { sumCents } from '../lib/money.ts'
import { endAfterHolds } from './billed-holds.ts'
import {
  type BilledHold,
  type BilledSubscription,
  calculateMonthSum,
  periodsUntil,
  calculateTotalCents,
} from './periods.ts'

/** Looks at one day after the other, and knows no numbered periods. */
class DayByDay {
  readonly subscription: BilledSubscription
  readonly #lastDay: string

  constructor(subscription: BilledSubscription, lastDay: string) {
    this.subscription = subscription
    this.#lastDay = lastDay
  }

  beginsPeriod(day: string): boolean {
    const { starts_on, cycle, billing_day, first_period } = this.subscription
    if (cycle.unit === 'week') return daysBetween(starts_on, day) % (7 * cycle.count) === 0
    const length = cycle.unit === 'year' ? 12 * cycle.count : cycle.count
    const months = monthsBetween(monthOfDate(starts_on), monthOfDate(day))
    if (billing_day === 'start') {
      const billingDay = Math.min(dayOfMonth(starts_on), daysInMonth(monthOfDate(day)))
      return dayOfMonth(day) === billingDay && months % length === 0
    }
    const freeMonths = first_period === 'free' && dayOfMonth(starts_on) > 1 ? 1 : 0
    return dayOfMonth(day) === 1 && (months - freeMonths) % length === 0
  }

  holdsOn(day: string): BilledHold[] {
    return this.subscription.holds.filter(
      (hold) => hold.from <= day && day <= (hold.until ?? '9999-12-31'),
    )
  }

  /** Each day that does not move the end uses up one of the days agreed. */
  end(): string | null {
    const { starts_on, ends_on } = this.subscription
    if (ends_on === null) return null
    let remainingDays = daysBetween(starts_on, ends_on) + 1
    for (let day = starts_on; ; day = addDays(day, 1)) {
      if (!this.holdsOn(day).some(({ moves_end }) => moves_end)) remainingDays -= 1
      if (remainingDays === 0) return day
      if (this.holdsOn(day).some(({ moves_end, until }) => moves_end && until === null)) return null
    }
  }

  /** The days of each period. */
  periods(): string[][] {
    const end = this.end() ?? '9999-12-31'
    const periods: string[][] = []
    let days: string[] = []
    for (let day = this.subscription.starts_on; day <= end; day = addDays(day, 1)) {
      if (days.length === 0 || this.beginsPeriod(day)) {
        if (day > this.#lastDay) break
        days = []
        periods.push(days)
      }
      days.push(day)
    }
    return periods
  }

  isPaid(day: string): boolean {
    const billings = this.holdsOn(day).map(({ billing }) => billing)
    if (billings.includes('prorated') || billings.includes('free')) return false
    return !billings.includes('fee')
  }

  isFree(period: string[]): boolean {
    const { starts_on, first_period, billing_day, cycle } = this.subscription
    const isAligned =
      cycle.unit === 'week' || billing_day === 'start' || dayOfMonth(starts_on) === 1
    return first_period === 'free' && !isAligned && period[0] === starts_on
  }

  /** The part of the price for so many days, and all days that the price is for. */
  partOf(period: string[], paidDays: number, price?: number) {
    const { starts_on, first_period, prices } = this.subscription
    const [firstDay = '', lastDay = ''] = [period[0], period.at(-1)]
    let days = period.length
    const isCut = !this.beginsPeriod(firstDay)
    if (isCut && first_period !== 'full')
      for (let day = starts_on; !this.beginsPeriod(day); day = addDays(day, -1)) days += 1
    let daysAfter = 0
    for (let day = addDays(lastDay, 1); !this.beginsPeriod(day); day = addDays(day, 1)) {
      daysAfter += 1
    }
    days += daysAfter
    const cents =
      price ?? (prices.findLast(({ from }) => from <= firstDay) ?? prices[0])?.cents ?? 0
    const round = (amount: number, part: number) => Math.floor((amount * part) / days + 0.5)
    return { cents: round(cents, paidDays + daysAfter) - round(cents, daysAfter), round }
  }

  /** What is paid in all, if holds cannot change it. */
  sum(): number {
    const { ends_on, ends_with_term, holds } = this.subscription
    if (ends_on === null || !(ends_with_term || holds.some(({ moves_end }) => moves_end)))
      return Number.POSITIVE_INFINITY
    const plain = new DayByDay({ ...this.subscription, holds: [] }, ends_on)
    const periods = plain.periods()
    const parts = periods.map((period) => plain.centsWithoutHolds(period))
    const [first = []] = periods
    const isSplit =
      ends_with_term && this.subscription.cycle.unit !== 'week' && periods.length > 1
        ? !plain.beginsPeriod(first[0] ?? '') && !plain.isFree(first) && plain.hasWholeCycles()
        : false
    if (!isSplit) return sumCents(parts)
    const lastDay = periods.at(-1)?.[0] ?? ''
    const { prices } = this.subscription
    const price = (prices.findLast(({ from }) => from <= lastDay) ?? prices[0])?.cents ?? 0
    return sumCents(parts.slice(0, -1)) + price - plain.partOf(first, first.length, price).cents
  }

  hasWholeCycles(): boolean {
    const { starts_on, ends_on, cycle } = this.subscription
    const length = cycle.unit === 'year' ? 12 * cycle.count : cycle.count
    const dayAfter = addDays(ends_on ?? '', 1)
    return Array.from({ length: 60 }, (_, count) => (count + 1) * length).some(
      (months) => addMonthsToDay(starts_on, months) === dayAfter,
    )
  }

  centsWithoutHolds = (period: string[]): number =>
    this.isFree(period) ? 0 : this.partOf(period, period.length).cents

  fees(period: string[], round: (cents: number, days: number) => number): number {
    const fees = period.flatMap((day) => {
      const holds = this.holdsOn(day)
      if (holds.some(({ billing }) => billing === 'prorated' || billing === 'free')) return []
      const feeHolds = holds.filter(({ billing }) => billing === 'fee')
      return feeHolds.length > 0 ? [Math.min(...feeHolds.map(({ fee_cents }) => fee_cents))] : []
    })
    return sumCents(
      [...new Set(fees)].map((fee) => round(fee, fees.filter((cents) => cents === fee).length)),
    )
  }

  describe() {
    const { holds } = this.subscription
    const moving = new DayByDay(
      { ...this.subscription, holds: holds.filter(({ moves_end }) => moves_end) },
      this.#lastDay,
    )
    let leftCents = this.sum()
    const isBound = leftCents !== Number.POSITIVE_INFINITY
    return this.periods().map((period) => {
      const movingDays = period.filter((day) => moving.isPaid(day)).length
      const paidDays = period.filter((day) => this.isPaid(day)).length
      const { round } = this.partOf(period, 0)
      const isLast = period.at(-1) === this.end()
      let cents = this.isFree(period)
        ? 0
        : this.partOf(period, isBound ? movingDays : paidDays).cents
      if (isBound) {
        cents = isLast ? leftCents : Math.min(cents, leftCents)
        leftCents -= cents
        if (movingDays !== paidDays) cents = Math.floor((cents * paidDays) / movingDays + 0.5)
      }
      const fees = this.isFree(period) ? 0 : this.fees(period, round)
      return { from: period[0], until: period.at(-1), cents: cents + fees }
    })
  }
}

const day = (first: string, days: number) =>
  fc.integer({ min: 0, max: days }).map((count) => addDays(first, count))
const randomHold: fc.Arbitrary<BilledHold> = fc
  .record({
    from: day('2027-12-01', 500),
    length: fc.option(fc.integer({ min: 0, max: 70 }), { freq: 8 }),
    billing: fc.constantFrom('free', 'prorated', 'full', 'fee'),
    fee_cents: fc.constantFrom(0, 500, 1001),
    moves_end: fc.boolean(),
  })
  .map(({ length, ...hold }) => ({
    ...hold,
    until: length === null ? null : addDays(hold.from, length),
  }))
const randomSubscription: fc.Arbitrary<BilledSubscription> = fc
  .record({
    starts_on: day('2027-12-20', 80),
    length: fc.option(fc.integer({ min: 0, max: 400 })),
    cycle: fc.record({
      unit: fc.constantFrom('week', 'month', 'month', 'year'),
      count: fc.integer({ min: 1, max: 3 }),
    }),
    billing_day: fc.constantFrom('first', 'start'),
    first_period: fc.constantFrom('full', 'prorated', 'free'),
    cents: fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 2, maxLength: 2 }),
    raisedAfter: fc.integer({ min: 1, max: 300 }),
    holds: fc.array(randomHold, { maxLength: 4 }),
    /** The length of an agreed term. */
    months: fc.option(fc.integer({ min: 1, max: 12 })),
  })
  .map(({ length, months, cents, raisedAfter, ...terms }) => ({
    ...terms,
    ...(months === null
      ? { ends_on: length === null ? null : addDays(terms.starts_on, length) }
      : { ends_on: addDays(addMonthsToDay(terms.starts_on, months), -1), ends_with_term: true }),
    prices: cents.map((price, index) => ({
      from: addDays(terms.starts_on, index * raisedAfter),
      cents: price,
    })),
  }))
const LAST_DAY = '2029-03-31'

test('any subscription costs what a look at each day says', () => {
  fc.assert(
    fc.property(randomSubscription, (subscription) => {
      const reference = new DayByDay(subscription, LAST_DAY)
      expect(endAfterHolds(subscription)).toBe(reference.end())
      const periods = periodsUntil(subscription, LAST_DAY)
      expect(periods.map(({ from, until, cents }) => ({ from, until, cents }))).toEqual(
        reference.describe(),
      )
    }),
    { numRuns: process.env.LONG ? 3000 : 150 },
  )
}, 300_000)

test('holds that move the end of a term never change what it costs', () => {
  fc.assert(
    fc.property(randomSubscription, (subscription) => {
      const holds = subscription.holds.map((hold) => ({
        ...hold,
        ...{ moves_end: true, fee_cents: 0, until: hold.until ?? hold.from },
      }))
      const plainCents = calculateTotalCents({ ...subscription, holds: [] })
      expect(calculateTotalCents({ ...subscription, holds })).toBe(plainCents)
      for (const { cents } of periodsUntil({ ...subscription, holds }, LAST_DAY))
        expect(cents).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: process.env.LONG ? 3000 : 300 },
  )
}, 300_000)

test('months are the sums of periods, whichever month is asked for', () => {
  fc.assert(
    fc.property(randomSubscription, (subscription) => {
      const months = monthsFrom({ month: 11, year: 2027 }, { month: 2, year: 2029 })
      const sums = months.map((month) => calculateMonthSum(subscription, month).cents)
      const periods = periodsUntil(subscription, LAST_DAY)
      expect(sumCents(sums)).toBe(sumCents(periods.map(({ cents }) => cents)))
    }),
    { numRuns: 300 },
  )
})

test('the parts of a period that is split add up to its price', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 27 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(cuts, fc.integer({ min: 0, max: 20_000 }), fc.nat(11), (days, cents, month) => {
      const first = `2028-${String(month + 1).padStart(2, '0')}-01`
      const starts = [0, ...days.toSorted((a, b) => a - b)].map((count) => addDays(first, count))
      const parts = starts.map((starts_on, index) => {
        const nextStart = starts[index + 1]
        const subscription: BilledSubscription = {
          starts_on,
          ends_on: nextStart ? addDays(nextStart, -1) : null,
          cycle: { unit: 'month', count: 1 },
          billing_day: 'first',
          first_period: 'prorated',
          prices: [{ from: first, cents }],
          holds: [],
        }
        return calculateMonthSum(subscription, { month, year: 2028 }).cents
      })
      expect(sumCents(parts)).toBe(cents)
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
    }),
  )
})
