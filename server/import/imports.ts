import { type StoredImport, UNDO_IMPORT_HOURS } from '@tatami/contract/import/import'
import { and, desc, gt, isNull } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { type ImportDetails, studentImports } from './tables.ts'

const HOUR_MS = 3_600_000

/** Imports made before this time can no longer be undone. */
export const earliestUndoableTime = () =>
  new Date(now().getTime() - UNDO_IMPORT_HOURS * HOUR_MS).toISOString()

export async function listUndoableImports(tx: Tx) {
  const rows = await tx
    .select()
    .from(studentImports)
    .where(
      and(isNull(studentImports.undone_at), gt(studentImports.created_at, earliestUndoableTime())),
    )
    .orderBy(desc(studentImports.id))
  return rows.map(({ id, created_at, details }) => toStoredImport(id, created_at, details))
}

export const toStoredImport = (
  id: string,
  made_at: string,
  details: ImportDetails,
): StoredImport => ({
  id,
  made_at,
  undo_until: new Date(Date.parse(made_at) + UNDO_IMPORT_HOURS * HOUR_MS).toISOString(),
  students: details.students.length,
  merged: details.merged.length,
  guardians: details.guardians.length,
  classes: details.classes.length,
})
