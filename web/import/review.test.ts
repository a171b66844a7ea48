import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { expect, test } from 'vitest'
import { parseSheet } from '@tatami/contract/import/sheet'
import { findAmbiguousDate, formatImportLabel, listNewStudentRows } from './review.ts'
import type { ImportState } from './import-state.ts'

const duplicate = (row: number, student_id: string | null) => ({
  row,
  student_id,
  choice: 'update',
})
const planOf = (plan: object) =>
  ({ problems: [], duplicates: [], left_out_rows: [], ...plan }) as unknown as ImportPlan

test('says on the button how many students are imported and rows completed', () => {
  const duplicatesOfStudents = [duplicate(0, 'a'), duplicate(1, 'b')]
  expect(formatImportLabel(planOf({ students: 2 }))).toBe('Import 2 students')
  expect(formatImportLabel(planOf({ students: 0, duplicates: duplicatesOfStudents }))).toBe(
    'Complete 2 rows',
  )
  expect(formatImportLabel(planOf({ students: 1, duplicates: duplicatesOfStudents }))).toBe(
    'Import 1 student, complete 2 rows',
  )
  expect(formatImportLabel(planOf({ students: 1, duplicates: [duplicate(1, null)] }))).toBe(
    'Import 1 student',
  )
})

test('lists the rows of new students, without invalid, skipped and repeated rows', () => {
  const state = {
    sheet: { rows: ['a', 'b', 'c', 'd', 'e'].map((cell) => [cell]) },
    duplicateChoices: { 3: 'skip' },
  } as unknown as ImportState
  const plan = planOf({
    problems: [{ row: 0 }],
    duplicates: [duplicate(1, 'a')],
    left_out_rows: [{ row: 2, is_included: true }],
  })
  expect(listNewStudentRows(plan, state)).toEqual([2, 4])
})

test('finds a date in the sheet that can be read in two ways', () => {
  const TODAY = '2026-11-22'
  const sheet = (...cells: string[]) =>
    parseSheet([['Name', 'DOB'], ...cells.map((cell) => ['Ken Adams', cell])], TODAY)
  expect(findAmbiguousDate(sheet('5/5/2015', '6/7/2014'))).toEqual({
    cell: '6/7/2014',
    monthFirst: '2014-06-07',
    dayFirst: '2014-07-06',
  })
  expect(findAmbiguousDate(sheet('5/5/2015'))).toBe(null)
})
