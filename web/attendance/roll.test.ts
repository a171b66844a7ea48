import type { AttendanceRecord } from '@tatami/contract/attendance'
import type { Student } from '@tatami/contract/students'
import { expect, test } from 'vitest'
import type { Tap } from './mark-queue.ts'
import { countsOf, rollOf } from './roll.ts'

const DAY = '2026-03-02'
const student = (id: string, ...enrolled_classes: string[]) => ({ id, name: id, enrolled_classes }) as Student
const record = (student_id: string, present: boolean) => ({ student_id, present }) as AttendanceRecord
const tap = (student_id: string, present: boolean | null, over: Partial<Tap> = {}): Tap => ({
  student_id,
  class_id: 'judo',
  day: DAY,
  present,
  ...over,
})
const cut = { failure: { error: new Error('cut') } }

const students = [student('aiko', 'judo'), student('ben', 'karate'), student('cleo', 'judo')]
const roll = (records: AttendanceRecord[] = [], taps: Tap[] = []) => rollOf('judo', DAY, { students, records, taps })
const shown = (...given: Parameters<typeof roll>) => roll(...given).map(({ student: { id }, present }) => [id, present])

test('the enrolled are on the roll, unmarked until somebody marks them', () => {
  expect(shown()).toEqual([
    ['aiko', null],
    ['cleo', null],
  ])
  expect(shown([record('cleo', false)])).toEqual([
    ['aiko', null],
    ['cleo', false],
  ])
})

test('who is marked without being enrolled comes last, as a drop-in', () => {
  expect(roll([record('ben', true)]).map(({ student: { id }, isDropIn }) => [id, isDropIn])).toEqual([
    ['aiko', false],
    ['cleo', false],
    ['ben', true],
  ])
})

test('a tap shows before the server has it; one for another class or day does not', () => {
  expect(
    shown(
      [record('aiko', true)],
      [tap('aiko', false), tap('cleo', true, { day: '2026-03-03' }), tap('cleo', true, { class_id: 'karate' })],
    ),
  ).toEqual([
    ['aiko', false],
    ['cleo', null],
  ])
})

test('a tap that failed stays as it was tapped, marked as failed', () => {
  const [aiko] = roll([record('aiko', true)], [tap('aiko', false, cut)])
  expect([aiko?.present, aiko?.failed?.present, aiko?.isSaving]).toEqual([false, false, false])
})

test('a tap that got no answer but arrived has not failed', () => {
  expect(roll([record('aiko', true)], [tap('aiko', true, cut)])[0]?.failed).toBeUndefined()
})

test('a drop-in who could not be marked stays in sight, one taken back does not', () => {
  expect(shown([], [tap('ben', true, cut)])).toContainEqual(['ben', true])
  expect(shown([record('ben', true)], [tap('ben', null)])).not.toContainEqual(['ben', null])
})

test('the roll is counted', () => {
  expect(countsOf(roll([record('aiko', true), record('ben', false)], [tap('cleo', true, cut)]))).toEqual({
    all: 3,
    marked: 3,
    present: 2,
    failed: 1,
  })
})
