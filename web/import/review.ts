import type { ImportField } from '@tatami/contract/import/import-fields'
import type { ImportPlan, ImportRemark } from '@tatami/contract/import/import-plan'
import { parseDate } from '@tatami/contract/import/dates'
import { isDateField, type Sheet } from '@tatami/contract/import/sheet'
import { useState } from 'react'
import { today } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import type { ImportState } from './import-state.ts'
import type { ImportSheet } from './use-import-sheet.ts'

export type ReviewProps = { sheet: ImportSheet; state: ImportState; plan: ImportPlan }

export function getRowName(row: number, { sheet: { fields, rows } }: ImportState): string {
  const getCell = (field: ImportField) => rows[row]?.[fields.indexOf(field)] ?? ''
  return (
    getCell('name') || `${getCell('first_name')} ${getCell('last_name')}`.trim() || `Row ${row + 1}`
  )
}

/** Finds the first date that could be read both month first and day first. */
export function findAmbiguousDate({ fields, rows }: Sheet) {
  const columns = fields.flatMap((field, column) => (isDateField(field) ? [column] : []))
  const cells = columns.flatMap((column) => rows.map((row) => (row[column] ?? '').trim()))
  for (const cell of cells) {
    const monthFirst = parseDate(cell, 'month-first', today())
    const dayFirst = parseDate(cell, 'day-first', today())
    if (monthFirst && dayFirst && monthFirst !== dayFirst) return { cell, monthFirst, dayFirst }
  }
  return null
}

export function listNewStudentRows(
  { problems, duplicates, left_out_rows }: ImportPlan,
  { sheet: { rows }, duplicateChoices }: ImportState,
): number[] {
  const excludedRows = new Set([
    ...problems.map(({ row }) => row),
    ...duplicates.filter(({ choice }) => choice !== 'add').map(({ row }) => row),
    ...left_out_rows
      .filter(({ is_included, is_former }) => !is_included && !is_former)
      .map(({ row }) => row),
  ])
  return [...rows.keys()].filter(
    (row) => !excludedRows.has(row) && duplicateChoices[row] !== 'skip',
  )
}

/** Counts the rows that complete an existing student, and those that repeat an earlier row. */
export function countMergedRows({ duplicates }: ImportPlan): {
  existingCount: number
  repeatedCount: number
} {
  const mergedDuplicates = duplicates.filter(({ choice }) => choice === 'update')
  const existingCount = mergedDuplicates.filter(({ student_id }) => student_id !== null).length
  return { existingCount, repeatedCount: mergedDuplicates.length - existingCount }
}

export function formatImportLabel(plan: ImportPlan): string {
  const { existingCount } = countMergedRows(plan)
  const rows = pluralize(existingCount, 'row')
  const students = pluralize(plan.students, 'student')
  if (existingCount === 0) return `Import ${students}`
  return plan.students === 0 ? `Complete ${rows}` : `Import ${students}, complete ${rows}`
}

/** Finds the column for a remark: the first column of the field that is filled in this row. */
export function findColumn(
  row: number,
  field: ImportRemark['field'],
  { sheet: { fields, rows } }: ImportState,
): number {
  const isFilled = (column: number) => rows[row]?.[column]?.trim() !== ''
  const filledColumn = fields.findIndex((name, column) => name === field && isFilled(column))
  return filledColumn < 0 ? fields.indexOf(field) : filledColumn
}

/** Groups cells that have or had a remark by row. Fixed cells stay, so that rows do not move. */
export function useRemarkedCells(
  remarks: readonly ImportRemark[],
): Map<number, Set<ImportRemark['field']>> {
  const [oldRemarks, setOldRemarks] = useState<readonly ImportRemark[]>([])
  const cellKey = ({ row, field }: ImportRemark) => `${row} ${field}`
  const oldCells = new Set(oldRemarks.map(cellKey))
  const newRemarks = remarks.filter((remark) => !oldCells.has(cellKey(remark)))
  if (newRemarks.length > 0) setOldRemarks([...oldRemarks, ...newRemarks])
  const byRow = Map.groupBy([...oldRemarks, ...newRemarks], ({ row }) => row)
  return new Map(
    [...byRow]
      .toSorted(([a], [b]) => a - b)
      .map(([row, cells]) => [row, new Set(cells.map(({ field }) => field))]),
  )
}
