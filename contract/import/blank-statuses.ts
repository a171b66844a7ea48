import type { ImportField } from './import-fields.ts'
import { BLANK_STATUS_FIELDS, type BlankStatusField, statusKey } from './presence.ts'
import { parseStatus, type Status } from './status.ts'
import { cellText, isBlankValue, parseFlag } from './values.ts'

/** Finds a column with unclear blanks: some of its cells say active, and others say left. */
export function findUnclearBlankField(
  columns: readonly ImportField[],
  rows: readonly (readonly string[])[],
  statuses: ReadonlyMap<string, Status>,
  today: string,
): BlankStatusField | null {
  for (const [index, column] of columns.entries()) {
    const field = BLANK_STATUS_FIELDS.find((name) => name === column)
    if (field === undefined) continue
    const texts = new Set(rows.map((row) => cellText(row[index] ?? '')))
    const statusesInColumn = new Set(
      [...texts]
        .filter((text) => !isBlankValue(text))
        .map((text) => readStatus(text, field, statuses, today)),
    )
    if (statusesInColumn.has('active') && statusesInColumn.has('left')) return field
  }
  return null
}

function readStatus(
  text: string,
  field: BlankStatusField,
  statuses: ReadonlyMap<string, Status>,
  today: string,
): Status | null {
  const flag = parseFlag(text)
  if (field === 'has_left' && flag !== null) return flag ? 'left' : 'active'
  // `findCheckMarkColumns` reads blanks between check marks as a no.
  if (field === 'is_active' && flag !== null) return null
  return statuses.get(statusKey(text)) ?? parseStatus(text, today)
}
