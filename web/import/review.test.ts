import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { expect, test } from 'vitest'
import { parseSheet } from '@tatami/contract/import/sheet'
import { findAmbiguousDate, formatImportLabel, listNewStudentRows } from './review.ts'
import type { ImportState } from './import-state.ts'

const createDuplicate = (row: number, student_id: string | null) => ({
  row,
  student_id,
  choice: 'update',
})
const createPlan = (plan: object) =>
  ({ problems: [], duplicates: [], left_out_rows: [], ...plan }) as unknown as ImportPlan

test('the button says how many students it imports and how many rows it completes', () => {
  const duplicatesOfStudents = [createDuplicate(0, 'a'), createDuplicate(1, 'b')]
  expect(formatImportLabel(createPlan({ students: 2 }))).toBe('Import 2 students')
  expect(formatImportLabel(createPlan({ students: 0, duplicates: duplicatesOfStudents }))).toBe(
    'Complete 2 rows',
  )
  expect(formatImportLabel(createPlan({ students: 1, duplicates: duplicatesOfStudents }))).toBe(
    'Import 1 student, complete 2 rows',
  )
  expect(
    formatImportLabel(createPlan({ students: 1, duplicates: [createDuplicate(1, null)] })),
  ).toBe('Import 1 student')
})

test('lists the rows of new students, but not invalid, skipped or repeated rows', () => {
  const state = {
    sheet: { rows: ['a', 'b', 'c', 'd', 'e'].map((cell) => [cell]) },
    duplicateChoices: { 3: 'skip' },
  } as unknown as ImportState
  const plan = createPlan({
    problems: [{ row: 0 }],
    duplicates: [createDuplicate(1, 'a')],
    left_out_rows: [{ row: 2, is_included: true }],
  })
  expect(listNewStudentRows(plan, state)).toEqual([2, 4])
})

test('finds a date in the sheet that can be read in two ways', () => {
  const TODAY = '2026-11-22'
  const createSheet = (...cells: string[]) =>
    parseSheet([['Name', 'DOB'], ...cells.map((cell) => ['Ken Adams', cell])], TODAY)
  expect(findAmbiguousDate(createSheet('5/5/2015', '6/7/2014'))).toEqual({
    cell: '6/7/2014',
    monthFirst: '2014-06-07',
    dayFirst: '2014-07-06',
  })
  expect(findAmbiguousDate(createSheet('5/5/2015'))).toBe(null)
})
