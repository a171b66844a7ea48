import type { ImportField } from './import-fields.ts'
import { BLANK_STATUS_FIELDS, type BlankStatusField, statusKey } from './presence.ts'
import { parseStatus, type Status } from './status.ts'
import { cellText, isNothing, parseFlag } from './values.ts'

/** Finds a column in which a blank is unclear: it calls some students active and others not. */
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
    const meanings = new Set(
      [...texts]
        .filter((text) => !isNothing(text))
        .map((text) => meaningOf(text, field, statuses, today)),
    )
    if (meanings.has('active') && meanings.has('left')) return field
  }
  return null
}

function meaningOf(
  text: string,
  field: BlankStatusField,
  statuses: ReadonlyMap<string, Status>,
  today: string,
): Status | null {
  const flag = parseFlag(text)
  if (field === 'has_left' && flag !== null) return flag ? 'left' : 'active'
  // In such a column `findCheckMarkColumns` reads a blank as a no.
  if (field === 'is_active' && flag !== null) return null
  return statuses.get(statusKey(text)) ?? parseStatus(text, today)
}
