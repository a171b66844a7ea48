import type { AttendanceRecord } from '@tatami/contract/attendance/attendance'
import type { Excuse } from '@tatami/contract/calendar/excuses'
import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import type { PendingMark } from './pending-marks.ts'
import { countRoll, buildRoll, isUnmarked } from './roll.ts'

const DAY = '2026-03-02'
const createStudent = (id: string, ...enrolled_classes: string[]) =>
  ({ id, name: id, enrolled_classes }) as Student
const createRecord = (student_id: string, present: boolean) =>
  ({ student_id, present }) as AttendanceRecord
const createPendingMark = (
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
const withoutResponse = { hasFailed: true }
const withRefusal = { refusal: 'Student not found' }

const students = [
  createStudent('aiko', 'judo'),
  createStudent('ben', 'karate'),
  createStudent('cleo', 'judo'),
]
const createExcuse = (student_id: string) => ({ student_id, source: 'student' }) as Excuse
const createRoll = (
  records: AttendanceRecord[] = [],
  pendingMarks: PendingMark[] = [],
  excuses: Excuse[] = [],
) => buildRoll('judo', DAY, { students, records, excuses, pendingMarks })
const listPresence = (...args: Parameters<typeof createRoll>) =>
  createRoll(...args).map(({ student: { id }, present }) => [id, present])

test('lists enrolled students with and without marks', () => {
  expect(listPresence()).toEqual([
    ['aiko', null],
    ['cleo', null],
  ])
  expect(listPresence([createRecord('cleo', false)])).toEqual([
    ['aiko', null],
    ['cleo', false],
  ])
})

test('lists a marked student who is not enrolled last, as a drop-in', () => {
  expect(
    createRoll([createRecord('ben', true)]).map(({ student: { id }, isDropIn }) => [id, isDropIn]),
  ).toEqual([
    ['aiko', false],
    ['cleo', false],
    ['ben', true],
  ])
})

test('lists a guest of the date after the enrolled students and expects both', () => {
  const guestIds = new Set(['aiko', 'ben'])
  const rows = buildRoll('judo', DAY, {
    students,
    records: [],
    excuses: [],
    pendingMarks: [],
    guestIds,
  })
  expect(rows.map(({ student: { id }, isDropIn, isGuest }) => [id, isDropIn, isGuest])).toEqual([
    ['aiko', false, false],
    ['cleo', false, false],
    ['ben', false, true],
  ])
  expect(countRoll(rows).expected).toBe(3)
})

test('shows only pending marks of this class and day', () => {
  expect(
    listPresence(
      [createRecord('aiko', true)],
      [
        createPendingMark('aiko', false),
        createPendingMark('cleo', true, { day: '2026-03-03' }),
        createPendingMark('cleo', true, { class_id: 'karate' }),
      ],
    ),
  ).toEqual([
    ['aiko', false],
    ['cleo', null],
  ])
})

test('shows the value and state of a mark that is waiting, failed or refused', () => {
  const readState = (overrides: Partial<PendingMark>) => {
    const [aiko] = createRoll(
      [createRecord('aiko', true)],
      [createPendingMark('aiko', false, overrides)],
    )
    return [aiko?.present, aiko?.isSaving, aiko?.isWaiting, aiko?.unsaved?.reason]
  }
  expect(readState({})).toEqual([false, true, false, undefined])
  expect(readState(withoutResponse)).toEqual([false, false, true, undefined])
  expect(readState(withRefusal)).toEqual([false, false, false, 'Student not found'])
  expect(readState({ ...withoutResponse, failure: 'Something went wrong' })).toEqual([
    false,
    false,
    false,
    'Something went wrong',
  ])
})

test('shows a conflicting mark by someone else, and does not count the student as unmarked', () => {
  const rows = createRoll(
    [createRecord('aiko', false)],
    [createPendingMark('aiko', null, { elsewhere: { present: false } })],
  )
  expect(rows.map((row) => [row.present, row.conflictingMark?.present, isUnmarked(row)])).toEqual([
    [null, false, false],
    [null, undefined, true],
  ])
})

test('keeps a drop-in whose mark is waiting, but not one whose mark was cleared', () => {
  expect(listPresence([], [createPendingMark('ben', true, withoutResponse)])).toContainEqual([
    'ben',
    true,
  ])
  expect(
    listPresence([createRecord('ben', true)], [createPendingMark('ben', null)]),
  ).not.toContainEqual(['ben', null])
})

test('counts the students of a roll by their marks', () => {
  expect(
    countRoll(
      createRoll(
        [createRecord('aiko', true), createRecord('ben', false)],
        [createPendingMark('cleo', true, withoutResponse)],
      ),
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

test('does not expect an excused student unless the student is marked', () => {
  const countWith = (records: AttendanceRecord[], pendingMarks: PendingMark[] = []) =>
    countRoll(createRoll(records, pendingMarks, [createExcuse('aiko')]))
  expect(countWith([])).toMatchObject({ expected: 1, marked: 0, excused: 1 })
  expect(countWith([createRecord('aiko', true)])).toMatchObject({
    expected: 2,
    marked: 1,
    present: 1,
    excused: 0,
  })
  expect(countWith([], [createPendingMark('aiko', false)])).toMatchObject({
    expected: 2,
    marked: 1,
    present: 0,
    excused: 1,
  })
})
