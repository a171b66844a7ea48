import type { AttendanceRecord } from '@tatami/contract/attendance/attendance'
import type { Excuse } from '@tatami/contract/calendar/excuses'
import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import type { PendingMark } from './pending-marks.ts'
import { countRoll, buildRoll, isUnmarked } from './roll.ts'

const DAY = '2026-03-02'
const student = (id: string, ...enrolled_classes: string[]) =>
  ({ id, name: id, enrolled_classes }) as Student
const record = (student_id: string, present: boolean) =>
  ({ student_id, present }) as AttendanceRecord
const pendingMark = (
  student_id: string,
  present: boolean | null,
  overrides: Partial<PendingMark> = {},
): PendingMark => ({
  student_id,
  class_id: 'judo',
  day: DAY,
  present,
  replaces: [null],
  isAttempted: true,
  yields: false,
  tap: student_id,
  ...overrides,
})
const cut = { hasFailed: true },
  refusal = { refusal: 'Student not found' }

const students = [student('aiko', 'judo'), student('ben', 'karate'), student('cleo', 'judo')]
const excuse = (student_id: string) => ({ student_id, source: 'student' }) as Excuse
const roll = (
  records: AttendanceRecord[] = [],
  pending: PendingMark[] = [],
  excuses: Excuse[] = [],
) => buildRoll('judo', DAY, { students, records, excuses, pending })
const rollTexts = (...args: Parameters<typeof roll>) =>
  roll(...args).map(({ student: { id }, present }) => [id, present])

test('lists enrolled students, unmarked until somebody marks them', () => {
  expect(rollTexts()).toEqual([
    ['aiko', null],
    ['cleo', null],
  ])
  expect(rollTexts([record('cleo', false)])).toEqual([
    ['aiko', null],
    ['cleo', false],
  ])
})

test('lists a marked student who is not enrolled last, as a drop-in', () => {
  expect(
    roll([record('ben', true)]).map(({ student: { id }, isDropIn }) => [id, isDropIn]),
  ).toEqual([
    ['aiko', false],
    ['cleo', false],
    ['ben', true],
  ])
})

test('expects a guest of the date like who is in the class, and names one once', () => {
  const guests = new Set(['aiko', 'ben'])
  const rows = buildRoll('judo', DAY, { students, records: [], excuses: [], pending: [], guests })
  expect(rows.map(({ student: { id }, isDropIn, isGuest }) => [id, isDropIn, isGuest])).toEqual([
    ['aiko', false, false],
    ['cleo', false, false],
    ['ben', false, true],
  ])
  expect(countRoll(rows).all).toBe(3)
})

test('shows a pending mark of this class and day only', () => {
  expect(
    rollTexts(
      [record('aiko', true)],
      [
        pendingMark('aiko', false),
        pendingMark('cleo', true, { day: '2026-03-03' }),
        pendingMark('cleo', true, { class_id: 'karate' }),
      ],
    ),
  ).toEqual([
    ['aiko', false],
    ['cleo', null],
  ])
})

test('keeps the value of a mark that waits, failed or was refused, and says so', () => {
  const state = (overrides: Partial<PendingMark>) => {
    const [aiko] = roll([record('aiko', true)], [pendingMark('aiko', false, overrides)])
    return [aiko?.present, aiko?.isSaving, aiko?.isWaiting, aiko?.notSaved?.reason]
  }
  expect(state({})).toEqual([false, true, false, undefined])
  expect(state(cut)).toEqual([false, false, true, undefined])
  expect(state(refusal)).toEqual([false, false, false, 'Student not found'])
  expect(state({ ...cut, failure: 'Something went wrong' })).toEqual([
    false,
    false,
    false,
    'Something went wrong',
  ])
})

test('says what somebody else marked meanwhile, and leaves it to a tap', () => {
  const rows = roll(
    [record('aiko', false)],
    [pendingMark('aiko', null, { elsewhere: { present: false } })],
  )
  expect(rows.map((row) => [row.present, row.elsewhere?.present, isUnmarked(row)])).toEqual([
    [null, false, false],
    [null, undefined, true],
  ])
})

test('keeps a drop-in whose mark waits, and drops one that was taken back', () => {
  expect(rollTexts([], [pendingMark('ben', true, cut)])).toContainEqual(['ben', true])
  expect(rollTexts([record('ben', true)], [pendingMark('ben', null)])).not.toContainEqual([
    'ben',
    null,
  ])
})

test('counts the roll', () => {
  expect(
    countRoll(roll([record('aiko', true), record('ben', false)], [pendingMark('cleo', true, cut)])),
  ).toEqual({
    all: 3,
    marked: 3,
    present: 2,
    excused: 0,
    waiting: 1,
    notSaved: 0,
    toDecide: 0,
  })
})

test('expects nobody who is excused, until somebody marks them', () => {
  const countsOf = (records: AttendanceRecord[], pending: PendingMark[] = []) =>
    countRoll(roll(records, pending, [excuse('aiko')]))
  expect(countsOf([])).toMatchObject({ all: 1, marked: 0, excused: 1 })
  expect(countsOf([record('aiko', true)])).toMatchObject({
    all: 2,
    marked: 1,
    present: 1,
    excused: 0,
  })
  expect(countsOf([], [pendingMark('aiko', false)])).toMatchObject({
    all: 2,
    marked: 1,
    present: 0,
    excused: 1,
  })
})
