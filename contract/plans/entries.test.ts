import { describe, expect, test } from 'vitest'
import {
  type EntryHistory,
  type EntryMark,
  type EntryPack,
  type EntrySubscription,
  firstDayToReplay,
  limitBeginsOn,
  pausedExpiry,
  replayEntries,
} from './entries.ts'
import { noticeOfEntry, visitWords } from './entry-words.ts'

const KIDS = 'kids'
const WEAPONS = 'weapons'

const createPlan = (changes: Partial<EntrySubscription> = {}): EntrySubscription => ({
  id: 'plan',
  starts_on: '2026-01-01',
  ends_on: null,
  cycle: { unit: 'month', count: 1 },
  billing_day: 'first',
  first_period: 'prorated',
  class_ids: null,
  entry_limit: null,
  entry_limit_per: null,
  ...changes,
})
const TWICE_A_WEEK = createPlan({ entry_limit: 2, entry_limit_per: 'week' })
const createPack = (changes: Partial<EntryPack> = {}): EntryPack => ({
  id: 'pack',
  bought_on: '2026-03-01',
  expires_on: '2026-08-31',
  visits: 3,
  class_ids: null,
  ...changes,
})
const createHistory = (changes: Partial<EntryHistory> = {}): EntryHistory => ({
  week_begins_on: 'monday',
  pays_monthly_fee: false,
  subscriptions: [],
  packs: [],
  holds: [],
  marks: [],
  ...changes,
})
const marksOn = (...days: string[]): EntryMark[] => days.map((day) => ({ class_id: KIDS, day }))

/** "plan 2/2", "plan 3/2!", "pack", "uncovered" */
const describeUses = (changes: Partial<EntryHistory>) =>
  replayEntries(createHistory(changes)).uses.map((use) => {
    if (use.kind === 'pack') return use.pack.id
    if (use.kind === 'unlimited') return use.subscription.id
    if (use.kind !== 'limited') return use.kind
    const { subscription, nth, is_over } = use
    return `${subscription.id} ${nth}/${subscription.entry_limit}${is_over ? '!' : ''}`
  })
const wordsFor = (changes: Partial<EntryHistory>, entry: EntryMark, today = entry.day) =>
  noticeOfEntry(createHistory(changes), entry, today)?.words ?? null

describe('plans', () => {
  test('without a limit cover every mark', () => {
    expect(
      describeUses({ subscriptions: [createPlan()], marks: marksOn('2026-03-02', '2026-03-03') }),
    ).toEqual(['plan', 'plan'])
  })

  test.each([
    ['monday', ['plan 1/2', 'plan 2/2', 'plan 3/2!', 'plan 1/2']],
    ['sunday', ['plan 1/2', 'plan 2/2', 'plan 1/2', 'plan 2/2']],
  ] as const)('count by the week that starts on %s', (week_begins_on, uses) => {
    // March 8 is a Sunday.
    const marks = marksOn('2026-03-05', '2026-03-06', '2026-03-08', '2026-03-09')
    expect(describeUses({ week_begins_on, subscriptions: [TWICE_A_WEEK], marks })).toEqual(uses)
  })

  test('count by the day', () => {
    const subscriptions = [createPlan({ entry_limit: 1, entry_limit_per: 'day' })]
    const marks = [...marksOn('2026-03-05', '2026-03-05'), ...marksOn('2026-03-06')]
    expect(describeUses({ subscriptions, marks })).toEqual(['plan 1/1', 'plan 2/1!', 'plan 1/1'])
  })

  test('count by their own cycle, not by the calendar month', () => {
    const subscriptions = [
      createPlan({
        starts_on: '2026-01-31',
        billing_day: 'start',
        entry_limit: 2,
        entry_limit_per: 'cycle',
      }),
    ]
    const marks = marksOn('2026-02-10', '2026-02-27', '2026-02-28', '2026-03-30', '2026-03-31')
    expect(describeUses({ subscriptions, marks })).toEqual([
      'plan 1/2',
      'plan 2/2',
      'plan 1/2',
      'plan 2/2',
      'plan 1/2',
    ])
  })

  test('cover only their classes and days', () => {
    const subscriptions = [
      createPlan({ class_ids: [WEAPONS], starts_on: '2026-03-03', ends_on: '2026-03-04' }),
    ]
    const marks = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].map((day) => ({
      class_id: WEAPONS,
      day,
    }))
    expect(
      describeUses({ subscriptions, marks: [...marks, { class_id: null, day: '2026-03-03' }] }),
    ).toEqual(['uncovered', 'plan', 'plan', 'uncovered', 'uncovered'])
    expect(describeUses({ subscriptions, marks: marksOn('2026-03-03') })).toEqual(['uncovered'])
  })

  test('let a student in if either allows it', () => {
    const addOn = createPlan({ id: 'add-on', class_ids: [WEAPONS] })
    const marks = [
      ...marksOn('2026-03-02', '2026-03-03'),
      { class_id: WEAPONS, day: '2026-03-04' },
      ...marksOn('2026-03-05'),
    ]
    expect(describeUses({ subscriptions: [TWICE_A_WEEK, addOn], marks })).toEqual([
      'plan 1/2',
      'plan 2/2',
      'add-on',
      'plan 3/2!',
    ])
  })

  test('a limit counts the marks first that only this plan allows', () => {
    const addOn = createPlan({
      id: 'add-on',
      class_ids: [WEAPONS],
      entry_limit: 1,
      entry_limit_per: 'week',
    })
    const marks = [{ class_id: WEAPONS, day: '2026-03-02' }, ...marksOn('2026-03-03', '2026-03-04')]
    expect(describeUses({ subscriptions: [TWICE_A_WEEK, addOn], marks })).toEqual([
      'add-on 1/1',
      'plan 1/2',
      'plan 2/2',
    ])
  })

  test('on hold cover nothing', () => {
    const holds = [{ subscription_id: 'plan', from: '2026-03-03', until: '2026-03-04' }]
    const marks = marksOn('2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05')
    expect(describeUses({ subscriptions: [createPlan()], holds, marks })).toEqual([
      'plan',
      'on_hold',
      'on_hold',
      'plan',
    ])
    const openHold = [{ subscription_id: null, from: '2026-03-04', until: null }]
    expect(describeUses({ subscriptions: [createPlan()], holds: openHold, marks })).toEqual([
      'plan',
      'plan',
      'on_hold',
      'on_hold',
    ])
  })
})

describe('packs', () => {
  test('that expire first are used first', () => {
    const packs = [
      createPack({ id: 'never', expires_on: null }),
      createPack({ id: 'late', expires_on: '2026-12-31', visits: 1 }),
      createPack({ id: 'soon', expires_on: '2026-03-31', visits: 2 }),
    ]
    const marks = marksOn('2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05')
    expect(describeUses({ packs, marks })).toEqual(['soon', 'soon', 'late', 'never'])
  })

  test('are good from the day of purchase to the last day', () => {
    const packs = [createPack({ expires_on: '2026-03-10' })]
    const marks = marksOn('2026-02-28', '2026-03-01', '2026-03-10', '2026-03-11')
    expect(describeUses({ packs, marks })).toEqual(['uncovered', 'pack', 'pack', 'uncovered'])
  })

  test('are never used for a class they are not for', () => {
    const packs = [
      createPack({ id: 'weapons', class_ids: [WEAPONS], expires_on: '2026-03-31' }),
      createPack({ id: 'all' }),
    ]
    const marks = [
      { class_id: KIDS, day: '2026-03-02' },
      { class_id: WEAPONS, day: '2026-03-02' },
    ]
    expect(describeUses({ packs, marks })).toEqual(['all', 'weapons'])
  })

  test('pause while on hold, and last as many days longer', () => {
    const holds = [{ subscription_id: null, from: '2026-08-01', until: '2026-08-31' }]
    expect(pausedExpiry(createPack(), holds)).toBe('2026-10-01')
    expect(
      pausedExpiry(createPack(), [
        { ...holds[0], subscription_id: 'plan', from: '2026-08-01', until: '2026-08-31' },
      ]),
    ).toBe('2026-08-31')
    expect(
      pausedExpiry(createPack(), [{ subscription_id: null, from: '2026-08-01', until: null }]),
    ).toBeNull()
    const marks = marksOn('2026-07-31', '2026-08-15', '2026-09-30', '2026-10-02')
    expect(describeUses({ packs: [createPack()], holds, marks })).toEqual([
      'pack',
      'on_hold',
      'pack',
      'uncovered',
    ])
  })

  test('get back the visit of a mark that is gone', () => {
    const packs = [createPack()]
    const marks = marksOn('2026-03-02', '2026-03-03')
    expect(replayEntries(createHistory({ packs, marks })).visitsLeft.get('pack')).toBe(1)
    const withoutCanceledClass = createHistory({ packs, marks: marks.slice(1) })
    expect(replayEntries(withoutCanceledClass).visitsLeft.get('pack')).toBe(2)
  })

  test('help out when a limit is reached, but not while a plan has room', () => {
    const marks = marksOn('2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05')
    expect(
      describeUses({ subscriptions: [TWICE_A_WEEK], packs: [createPack({ visits: 1 })], marks }),
    ).toEqual(['plan 1/2', 'plan 2/2', 'pack', 'plan 3/2!'])
  })
})

describe('the words', () => {
  const entry = { class_id: KIDS, day: '2026-03-05' }

  test('of a limit', () => {
    const subscriptions = [TWICE_A_WEEK]
    expect(wordsFor({ subscriptions }, entry)).toBe('1st of 2 this week')
    const marks = marksOn('2026-03-02', '2026-03-03')
    expect(noticeOfEntry(createHistory({ subscriptions, marks }), entry, entry.day)).toEqual({
      words: '3rd of 2 this week',
      is_over_limit: true,
      visits_left: null,
    })
    expect(wordsFor({ subscriptions, marks: [...marks, entry] }, entry)).toBe('3rd of 2 this week')
  })

  test('of a day and of a cycle', () => {
    const daily = [createPlan({ entry_limit: 1, entry_limit_per: 'day' })]
    expect(wordsFor({ subscriptions: daily }, entry)).toBe('1st of 1 today')
    expect(wordsFor({ subscriptions: daily }, entry, '2026-03-06')).toBe('1st of 1 that day')
    const monthly = [createPlan({ entry_limit: 8, entry_limit_per: 'cycle' })]
    expect(wordsFor({ subscriptions: monthly }, entry)).toBe('1st of 8 since March 1')
  })

  test('of a pack', () => {
    const packs = [createPack()]
    expect(wordsFor({ packs }, entry)).toBe('3 visits left')
    expect(wordsFor({ packs, marks: [entry] }, entry)).toBe('2 visits left')
    const marks = marksOn('2026-03-02', '2026-03-03', '2026-03-04')
    expect(noticeOfEntry(createHistory({ packs, marks }), entry, entry.day)).toEqual({
      words: 'No visits left',
      is_over_limit: true,
      visits_left: 0,
    })
    expect(visitWords(1)).toBe('1 visit left')
  })

  test('of what covers nothing', () => {
    const subscriptions = [createPlan({ class_ids: [WEAPONS] })]
    expect(wordsFor({ subscriptions }, entry)).toBe('Not in their plan')
    const packs = [createPack({ class_ids: [WEAPONS] })]
    expect(wordsFor({ packs }, entry)).toBe('Not in their class pack')
    const usedPacks = [createPack({ class_ids: [WEAPONS], visits: 0 })]
    expect(wordsFor({ packs: usedPacks }, entry)).toBe('No visits left')
    const holds = [{ subscription_id: null, from: '2026-03-01', until: null }]
    expect(wordsFor({ subscriptions: [createPlan()], holds }, entry)).toBe('On hold')
  })

  test('are missing if there is nothing to say', () => {
    expect(wordsFor({}, entry)).toBeNull()
    expect(wordsFor({ subscriptions: [createPlan()] }, entry)).toBeNull()
    const packs = [createPack({ visits: 0 })]
    expect(wordsFor({ packs, pays_monthly_fee: true }, entry)).toBeNull()
    const endedPlan = [createPlan({ ends_on: '2026-03-01' })]
    expect(wordsFor({ subscriptions: endedPlan }, entry)).toBeNull()
  })
})

test('the first day that matters', () => {
  const history = createHistory({ subscriptions: [TWICE_A_WEEK] })
  expect(firstDayToReplay(history, '2026-03-05')).toBe('2026-03-02')
  expect(firstDayToReplay({ ...history, packs: [createPack()] }, '2026-03-05')).toBe('2026-02-23')
  expect(firstDayToReplay(createHistory(), '2026-03-05')).toBe('2026-03-05')
})

test.each([
  ['2026-03-08', 'monday', '2026-03-02'],
  ['2026-03-08', 'sunday', '2026-03-08'],
  ['2026-03-09', 'monday', '2026-03-09'],
  ['2026-03-07', 'sunday', '2026-03-01'],
] as const)('the week of %s, from %s, starts on %s', (day, weekBeginsOn, firstDay) => {
  expect(limitBeginsOn(TWICE_A_WEEK, day, weekBeginsOn)).toBe(firstDay)
})
