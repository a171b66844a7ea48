import type { ImportPlan, ImportRemark } from '@tatami/contract/import/import-plan'
import { parseDate } from '@tatami/contract/import/dates'
import type { Sheet } from '@tatami/contract/import/sheet'
import { useState } from 'react'
import { today } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import type { ImportSheet, ImportState } from './use-import-sheet.ts'

export type ReviewProps = { sheet: ImportSheet; state: ImportState; plan: ImportPlan }

export function nameOfRow(row: number, { sheet: { fields, rows } }: ImportState): string {
  const cell = (field: string) => rows[row]?.[fields.indexOf(field as 'name')] ?? ''
  return cell('name') || `${cell('first_name')} ${cell('last_name')}`.trim() || `Row ${row + 1}`
}

/** The first birthday that is another date if the day comes before the month. */
export function ambiguousDate({ fields, rows }: Sheet) {
  const column = fields.indexOf('date_of_birth')
  if (column < 0) return null
  for (const row of rows) {
    const cell = (row[column] ?? '').trim()
    const monthFirst = parseDate(cell, 'month-first', today())
    const dayFirst = parseDate(cell, 'day-first', today())
    if (monthFirst && dayFirst && monthFirst !== dayFirst) return { cell, monthFirst, dayFirst }
  }
  return null
}

export function newStudentRows(
  { problems, duplicates, left_out_rows }: ImportPlan,
  { sheet: { rows }, choices }: ImportState,
): number[] {
  const otherRows = new Set([
    ...problems.map(({ row }) => row),
    ...duplicates.filter(({ choice }) => choice === 'update').map(({ row }) => row),
    ...left_out_rows.filter(({ is_included }) => !is_included).map(({ row }) => row),
  ])
  return [...rows.keys()].filter((row) => !otherRows.has(row) && choices[row] !== 'skip')
}

/** The rows that complete existing students, and those that belong to an earlier row. */
export function mergedRows({ duplicates }: ImportPlan): { here: number; twice: number } {
  const mergedDuplicates = duplicates.filter(({ choice }) => choice === 'update')
  const hereCount = mergedDuplicates.filter(({ student_id }) => student_id !== null).length
  return { here: hereCount, twice: mergedDuplicates.length - hereCount }
}

/** "Import 2 students", "Complete 1 row" */
export function importLabel(plan: ImportPlan): string {
  const { here } = mergedRows(plan)
  if (here === 0) return `Import ${pluralize(plan.students, 'student')}`
  if (plan.students === 0) return `Complete ${pluralize(here, 'row')}`
  return `Import ${pluralize(plan.students, 'student')}, complete ${pluralize(here, 'row')}`
}

/** The column that shows a remark: the first filled one of those with the field. */
export function columnOfField(
  row: number,
  field: ImportRemark['field'],
  { sheet: { fields, rows } }: ImportState,
): number {
  const isFilled = (column: number) => rows[row]?.[column]?.trim() !== ''
  const filledColumn = fields.findIndex((name, column) => name === field && isFilled(column))
  return filledColumn < 0 ? fields.indexOf(field) : filledColumn
}

/** The cells that have had a remark, by row. Fixed ones stay, so that nothing moves. */
export function useCellsSeen(
  remarks: readonly ImportRemark[],
): Map<number, Set<ImportRemark['field']>> {
  const [seenRemarks, setSeen] = useState<readonly ImportRemark[]>([])
  const cell = ({ row, field }: ImportRemark) => `${row} ${field}`
  const knownCells = new Set(seenRemarks.map(cell))
  const newRemarks = remarks.filter((remark) => !knownCells.has(cell(remark)))
  if (newRemarks.length > 0) setSeen([...seenRemarks, ...newRemarks])
  const byRow = Map.groupBy([...seenRemarks, ...newRemarks], ({ row }) => row)
  return new Map(
    [...byRow]
      .toSorted(([a], [b]) => a - b)
      .map(([row, cells]) => [row, new Set(cells.map(({ field }) => field))]),
  )
}
