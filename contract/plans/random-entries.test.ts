import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, dayOfMonth, daysBetween, weekdayOf } from '../lib/calendar-day.ts'
import {
  type EntryHistory,
  type EntryMark,
  type EntryPack,
  type EntrySubscription,
  replayEntries,
} from './entries.ts'

const FIRST_DAY = '2028-01-20'
const day = (days: number) => fc.nat(days).map((count) => addDays(FIRST_DAY, count))
const classIds = fc.constantFrom(null, null, ['kids'], ['weapons'], ['kids', 'weapons'])
const randomSubscription = fc.record({
  starts_on: day(40),
  length: fc.option(fc.integer({ min: 0, max: 70 })),
  class_ids: classIds,
  entry_limit: fc.constantFrom(null, 1, 2, 3),
  entry_limit_per: fc.constantFrom('day' as const, 'week' as const, 'cycle' as const),
})
const randomPack = fc.record({
  bought_on: day(60),
  length: fc.option(fc.integer({ min: 0, max: 60 })),
  visits: fc.integer({ min: 1, max: 8 }),
  class_ids: classIds,
})
const randomHold = fc.record({
  subscription_id: fc.constantFrom(null, null, 'plan 0', 'plan 1'),
  from: day(80),
  length: fc.option(fc.nat(30), { freq: 5 }),
})
const randomMark = fc.record({
  class_id: fc.constantFrom('kids', 'kids', 'weapons', 'adults', null),
  day: day(90),
})
/** The last day, some days after the first. Null if there is none. */
const lastDayOf = (firstDay: string, length: number | null) =>
  length === null ? null : addDays(firstDay, length)
const randomHistory: fc.Arbitrary<EntryHistory> = fc
  .record({
    week_begins_on: fc.constantFrom('monday' as const, 'sunday' as const),
    pays_monthly_fee: fc.boolean(),
    subscriptions: fc.array(randomSubscription, { maxLength: 3 }),
    packs: fc.array(randomPack, { maxLength: 3 }),
    holds: fc.array(randomHold, { maxLength: 3 }),
    marks: fc.array(randomMark, { maxLength: 40 }),
  })
  .map((history) => ({
    ...history,
    subscriptions: history.subscriptions.map(({ length, ...terms }, index) => ({
      ...terms,
      id: `plan ${index}`,
      ends_on: lastDayOf(terms.starts_on, length),
      cycle: { unit: 'month', count: 1 },
      billing_day: 'start',
      first_period: 'full',
    })),
    packs: history.packs.map(({ length, ...pack }, index) => ({
      ...pack,
      id: `pack ${index}`,
      expires_on: lastDayOf(pack.bought_on, length),
    })),
    holds: history.holds.map(({ length, ...hold }) => ({
      ...hold,
      until: lastDayOf(hold.from, length),
    })),
    marks: history.marks.toSorted((a, b) => daysBetween(b.day, a.day)),
  }))

/** Follows the rules one mark and one day after the other, and counts by searching all uses. */
class PlainReplay {
  readonly #history: EntryHistory
  readonly uses: (string | null)[]

  constructor(history: EntryHistory) {
    this.#history = history
    this.uses = history.marks.map(() => null)
    for (const [index, mark] of history.marks.entries())
      this.uses[index] =
        this.plans(mark).find(({ entry_limit }) => entry_limit === null)?.id ?? null
    for (const hasChoice of [false, true])
      for (const [index, mark] of history.marks.entries()) {
        const plans = this.plans(mark)
        if (this.uses[index] !== null || plans.length > 1 !== hasChoice) continue
        this.uses[index] = plans.find((plan) => this.hasRoom(plan, mark))?.id ?? null
      }
    for (const [index, mark] of history.marks.entries()) {
      this.uses[index] ??= this.packFor(mark) ?? (this.plans(mark).length > 0 ? 'over' : 'none')
    }
  }

  isHeld(dayOfMark: string, id: string | null): boolean {
    return this.#history.holds.some(
      ({ subscription_id, from, until }) =>
        (subscription_id === null || subscription_id === id) &&
        from <= dayOfMark &&
        dayOfMark <= (until ?? '9999'),
    )
  }

  plans({ class_id, day: dayOfMark }: EntryMark): EntrySubscription[] {
    return this.#history.subscriptions.filter(
      ({ id, starts_on, ends_on, class_ids }) =>
        starts_on <= dayOfMark &&
        dayOfMark <= (ends_on ?? '9999') &&
        (class_ids === null || class_ids.some((classId) => classId === class_id)) &&
        !this.isHeld(dayOfMark, id),
    )
  }

  /** Goes back day by day to the first day of the day, week or cycle. */
  windowOf({ starts_on, entry_limit_per }: EntrySubscription, dayOfMark: string): string {
    const isFirst = (candidate: string) => {
      if (entry_limit_per === 'day' || candidate === starts_on)
        return entry_limit_per !== 'week' || weekdayOf(candidate) === this.#history.week_begins_on
      if (entry_limit_per === 'week') return weekdayOf(candidate) === this.#history.week_begins_on
      const isLastOfShortMonth =
        dayOfMonth(addDays(candidate, 1)) === 1 && dayOfMonth(candidate) < dayOfMonth(starts_on)
      return dayOfMonth(candidate) === dayOfMonth(starts_on) || isLastOfShortMonth
    }
    let firstDay = dayOfMark
    while (!isFirst(firstDay)) firstDay = addDays(firstDay, -1)
    return firstDay
  }

  hasRoom(plan: EntrySubscription, mark: EntryMark): boolean {
    const window = this.windowOf(plan, mark.day)
    const usesInWindow = this.#history.marks.filter(
      (otherMark, index) =>
        this.uses[index] === plan.id && this.windowOf(plan, otherMark.day) === window,
    )
    return usesInWindow.length < (plan.entry_limit ?? 0)
  }

  /** Each day that is not on hold uses up one of the days of the pack. */
  lastDay({ bought_on, expires_on }: EntryPack): string {
    if (expires_on === null) return '9999-12-31'
    let remainingDays = daysBetween(bought_on, expires_on) + 1
    for (let dayOfPack = bought_on; dayOfPack < '2030'; dayOfPack = addDays(dayOfPack, 1)) {
      if (!this.isHeld(dayOfPack, null)) remainingDays -= 1
      if (remainingDays === 0) return dayOfPack
    }
    return '9999-12-31'
  }

  packFor({ class_id, day: dayOfMark }: EntryMark): string | undefined {
    const packs = this.#history.packs.filter((pack) => {
      const usedVisits = this.uses.filter((use) => use === pack.id).length
      const isForClass =
        pack.class_ids === null || pack.class_ids.some((classId) => classId === class_id)
      const isValid = pack.bought_on <= dayOfMark && dayOfMark <= this.lastDay(pack)
      return usedVisits < pack.visits && isForClass && isValid && !this.isHeld(dayOfMark, null)
    })
    const keyOf = (pack: EntryPack) => `${this.lastDay(pack)} ${pack.bought_on} ${pack.id}`
    return packs.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))[0]?.id
  }
}

const describeUse = (use: ReturnType<typeof replayEntries>['uses'][number]): string => {
  if (use.kind === 'pack') return use.pack.id
  if (use.kind === 'on_hold' || use.kind === 'uncovered') return 'none'
  return use.kind === 'limited' && use.is_over ? 'over' : use.subscription.id
}

test('any history is used up as a plain replay says', () => {
  fc.assert(
    fc.property(randomHistory, (history) => {
      const { uses, visitsLeft } = replayEntries(history)
      const replay = new PlainReplay(history)
      expect(uses.map(describeUse)).toEqual(replay.uses)
      for (const { id, visits } of history.packs) {
        const usedVisits = replay.uses.filter((use) => use === id).length
        expect(visitsLeft.get(id)).toBe(visits - usedVisits)
      }
    }),
    { numRuns: process.env.LONG ? 3000 : 300 },
  )
}, 300_000)

test('a mark that is gone never costs a visit', () => {
  fc.assert(
    fc.property(randomHistory, fc.nat(39), (history, index) => {
      const sumLeft = (replayedHistory: EntryHistory) =>
        [...replayEntries(replayedHistory).visitsLeft.values()].reduce(
          (sum, visits) => sum + visits,
          0,
        )
      const marks = history.marks.toSpliced(index, 1)
      expect(sumLeft({ ...history, marks })).toBeGreaterThanOrEqual(sumLeft(history))
    }),
    { numRuns: 300 },
  )
})
