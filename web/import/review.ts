import type { ImportPlan, ImportRemark } from '@tatami/contract/import'
import { useState } from 'react'
import type { ImportSheet, ImportState } from './use-import-sheet.ts'

/** A sheet with what importing it would do. */
export type ReviewProps = { sheet: ImportSheet; state: ImportState; plan: ImportPlan }

/** The name in a row, as the sheet writes it. */
export function nameOfRow(row: number, { sheet: { fields, rows } }: ImportState): string {
  const cell = (field: string) => rows[row]?.[fields.indexOf(field as 'name')] ?? ''
  return cell('name') || `${cell('first_name')} ${cell('last_name')}`.trim() || `Row ${row + 1}`
}

/** Where a remark about a field of a row stands: of several columns of the field in the first that is filled. */
export function columnOfField(
  row: number,
  field: ImportRemark['field'],
  { sheet: { fields, rows } }: ImportState,
): number {
  const isFilled = (column: number) => rows[row]?.[column]?.trim() !== ''
  const filled = fields.findIndex((name, column) => name === field && isFilled(column))
  return filled < 0 ? fields.indexOf(field) : filled
}

/** The cells that have had a remark, by row. One that is mended stays where it was, so that nothing moves away under a finger. */
export function useCellsSeen(
  remarks: readonly ImportRemark[],
): Map<number, Set<ImportRemark['field']>> {
  const [seen, setSeen] = useState<readonly ImportRemark[]>([])
  const cell = ({ row, field }: ImportRemark) => `${row} ${field}`
  const known = new Set(seen.map(cell))
  const added = remarks.filter((remark) => !known.has(cell(remark)))
  if (added.length > 0) setSeen([...seen, ...added])
  const byRow = Map.groupBy([...seen, ...added], ({ row }) => row)
  return new Map(
    [...byRow]
      .toSorted(([one], [other]) => one - other)
      .map(([row, cells]) => [row, new Set(cells.map(({ field }) => field))]),
  )
}
