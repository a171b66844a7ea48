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
  // The student was not marked when the instructor tapped.
  replaces: [null],
  isAttempted: true,
  yields: false,
  tap: student_id,
  ...overrides,
})
const noResponse = { hasFailed: true }
const refusedMark = { refusal: 'Student not found' }

const students = [student('aiko', 'judo'), student('ben', 'karate'), student('cleo', 'judo')]
const excuse = (student_id: string) => ({ student_id, source: 'student' }) as Excuse
const roll = (
  records: AttendanceRecord[] = [],
  pending: PendingMark[] = [],
  excuses: Excuse[] = [],
) => buildRoll('judo', DAY, { students, records, excuses, pending })
const presentById = (...args: Parameters<typeof roll>) =>
  roll(...args).map(({ student: { id }, present }) => [id, present])

test('lists enrolled students with and without marks', () => {
  expect(presentById()).toEqual([
    ['aiko', null],
    ['cleo', null],
  ])
  expect(presentById([record('cleo', false)])).toEqual([
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

test('lists a guest of the date after the enrolled students and expects both', () => {
  const guests = new Set(['aiko', 'ben'])
  const rows = buildRoll('judo', DAY, { students, records: [], excuses: [], pending: [], guests })
  expect(rows.map(({ student: { id }, isDropIn, isGuest }) => [id, isDropIn, isGuest])).toEqual([
    ['aiko', false, false],
    ['cleo', false, false],
    ['ben', false, true],
  ])
  expect(countRoll(rows).expected).toBe(3)
})

test('shows only pending marks of this class and day', () => {
  expect(
    presentById(
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

test('shows the value and state of a mark that is waiting, failed or refused', () => {
  const state = (overrides: Partial<PendingMark>) => {
    const [aiko] = roll([record('aiko', true)], [pendingMark('aiko', false, overrides)])
    return [aiko?.present, aiko?.isSaving, aiko?.isWaiting, aiko?.unsaved?.reason]
  }
  expect(state({})).toEqual([false, true, false, undefined])
  expect(state(noResponse)).toEqual([false, false, true, undefined])
  expect(state(refusedMark)).toEqual([false, false, false, 'Student not found'])
  expect(state({ ...noResponse, failure: 'Something went wrong' })).toEqual([
    false,
    false,
    false,
    'Something went wrong',
  ])
})

test('shows a conflicting mark of somebody else and does not count the student as unmarked', () => {
  const rows = roll(
    [record('aiko', false)],
    [pendingMark('aiko', null, { elsewhere: { present: false } })],
  )
  expect(rows.map((row) => [row.present, row.conflictingMark?.present, isUnmarked(row)])).toEqual([
    [null, false, false],
    [null, undefined, true],
  ])
})

test('keeps a drop-in whose mark is waiting, and removes one whose mark was cleared', () => {
  expect(presentById([], [pendingMark('ben', true, noResponse)])).toContainEqual(['ben', true])
  expect(presentById([record('ben', true)], [pendingMark('ben', null)])).not.toContainEqual([
    'ben',
    null,
  ])
})

test('counts the students of a roll by their marks', () => {
  expect(
    countRoll(
      roll([record('aiko', true), record('ben', false)], [pendingMark('cleo', true, noResponse)]),
    ),
  ).toEqual({
    expected: 3,
    marked: 3,
    present: 2,
    excused: 0,
    waiting: 1,
    unsaved: 0,
    conflicting: 0,
  })
})

test('does not expect an excused student unless somebody marks them', () => {
  const countsOf = (records: AttendanceRecord[], pending: PendingMark[] = []) =>
    countRoll(roll(records, pending, [excuse('aiko')]))
  expect(countsOf([])).toMatchObject({ expected: 1, marked: 0, excused: 1 })
  expect(countsOf([record('aiko', true)])).toMatchObject({
    expected: 2,
    marked: 1,
    present: 1,
    excused: 0,
  })
  expect(countsOf([], [pendingMark('aiko', false)])).toMatchObject({
    expected: 2,
    marked: 1,
    present: 0,
    excused: 1,
  })
})
