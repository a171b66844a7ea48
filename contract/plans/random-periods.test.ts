import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  dayOfMonth,
  daysBetween,
  daysInMonth,
  monthOfDate,
  monthsBetween,
  monthsFrom,
} from '../lib/calendar-day.ts'
import { sumCents } from '../lib/money.ts'
import { movedEnd } from './billed-holds.ts'
import { type BilledHold, type BilledSubscription, monthCents, periodsUntil } from './periods.ts'

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

  isPaid(day: string, period: string[]): boolean {
    const billings = this.holdsOn(day).map(({ billing }) => billing)
    if (billings.includes('prorated')) return false
    if (!billings.includes('free')) return !billings.includes('fee')
    return period.some((dayOfPeriod) =>
      this.holdsOn(dayOfPeriod).every(({ billing }) => billing === 'full'),
    )
  }

  isFree(period: string[]): boolean {
    const { starts_on, first_period, billing_day, cycle } = this.subscription
    const isAligned =
      cycle.unit === 'week' || billing_day === 'start' || dayOfMonth(starts_on) === 1
    return first_period === 'free' && !isAligned && period[0] === starts_on
  }

  countMadeUpDays(periods: string[][]): number {
    const { ends_on } = this.subscription
    if (this.end() === null || this.end() === ends_on) return 0
    return periods
      .filter((period) => !this.isFree(period))
      .flatMap((period) =>
        period.filter(
          (day) => this.holdsOn(day).some(({ moves_end }) => moves_end) && this.isPaid(day, period),
        ),
      ).length
  }

  centsOf(period: string[], firstMadeUpDay: string): number {
    const { starts_on, first_period, prices } = this.subscription
    const [firstDay = '', lastDay = ''] = [period[0], period.at(-1)]
    if (this.isFree(period)) return 0
    let days = period.length
    const isCut = !this.beginsPeriod(firstDay)
    if (isCut && first_period !== 'full')
      for (let day = starts_on; !this.beginsPeriod(day); day = addDays(day, -1)) days += 1
    let daysAfter = 0
    for (let day = addDays(lastDay, 1); !this.beginsPeriod(day); day = addDays(day, 1)) {
      daysAfter += 1
    }
    days += daysAfter
    const price = prices.findLast(({ from }) => from <= firstDay) ?? prices[0]
    const round = (cents: number, part: number) => Math.floor((cents * part) / days + 0.5)
    const paidDays = period.filter((day) => this.isPaid(day, period) && day < firstMadeUpDay).length
    const cents = price?.cents ?? 0
    return round(cents, paidDays + daysAfter) - round(cents, daysAfter) + this.fees(period, round)
  }

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
    const allPeriods = new DayByDay(this.subscription, this.end() ?? this.#lastDay).periods()
    const madeUpDays = this.countMadeUpDays(allPeriods)
    const end = this.end()
    const firstMadeUpDay = end === null ? '9999-12-31' : addDays(end, 1 - madeUpDays)
    return this.periods().map((period) => ({
      from: period[0],
      until: period.at(-1),
      cents: this.centsOf(period, firstMadeUpDay),
    }))
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
  })
  .map(({ length, cents, raisedAfter, ...terms }) => ({
    ...terms,
    ends_on: length === null ? null : addDays(terms.starts_on, length),
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
      expect(movedEnd(subscription)).toBe(reference.end())
      const periods = periodsUntil(subscription, LAST_DAY)
      expect(periods.map(({ from, until, cents }) => ({ from, until, cents }))).toEqual(
        reference.describe(),
      )
    }),
    { numRuns: process.env.LONG ? 3000 : 150 },
  )
}, 300_000)

test('months are the sums of periods, whichever month is asked for', () => {
  fc.assert(
    fc.property(randomSubscription, (subscription) => {
      const months = monthsFrom({ month: 11, year: 2027 }, { month: 2, year: 2029 })
      const sums = months.map((month) => monthCents(subscription, month).cents)
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
        return monthCents(subscription, { month, year: 2028 }).cents
      })
      expect(sumCents(parts)).toBe(cents)
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
    }),
  )
})
