import {
  type ClassForm,
  daysText,
  type DojoClass,
  timeRange,
} from '@tatami/contract/classes/classes'
import { arrayContains, asc, eq, inArray, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound } from '../lib/refusal.ts'
import { enrollments, students } from '../students/tables.ts'
import { recheckTrials } from './recheck-trials.ts'
import { classes } from './tables.ts'
import { firstRow, pluck } from '../lib/rows.ts'

type ClassRow = typeof classes.$inferSelect

const toDojoClass = (row: ClassRow): DojoClass => ({ ...row, _id: row.id, name: row.class_name })

export async function listClasses(tx: Tx): Promise<DojoClass[]> {
  const rows = await tx.select().from(classes).orderBy(asc(classes.created_at), asc(classes.id))
  return rows.map(toDojoClass)
}

async function requireClass(tx: Tx, id: string): Promise<DojoClass> {
  const [row] = await tx.select().from(classes).where(eq(classes.id, id))
  if (!row) throw notFound('Class')
  return toDojoClass(row)
}

export async function findUnknownClasses(tx: Tx, ids: string[]): Promise<string[]> {
  const existingClasses = await tx
    .select({ id: classes.id })
    .from(classes)
    .where(inArray(classes.id, ids))
  const existingIds = new Set(pluck(existingClasses, 'id'))
  return ids.filter((id) => !existingIds.has(id))
}

export async function addClass(tx: Tx, form: ClassForm): Promise<DojoClass> {
  return toDojoClass(firstRow(await tx.insert(classes).values(form).returning()))
}

/** Adds classes for an import, which knows only their names. They have no days and times yet. */
export async function addNamedClasses(
  tx: Tx,
  namedClasses: { id: string; class_name: string }[],
): Promise<void> {
  await inChunks(
    namedClasses.map(({ id, class_name }) => ({ id, class_name })),
    (chunk) => tx.insert(classes).values(chunk),
  )
}

export async function changeClass(tx: Tx, id: string, form: ClassForm): Promise<DojoClass> {
  const [row] = await tx.update(classes).set(form).where(eq(classes.id, id)).returning()
  if (!row) throw notFound('Class')
  await recheckTrials(tx, id)
  return toDojoClass(row)
}

export async function countClassDeletionImpact(tx: Tx, id: string) {
  await requireClass(tx, id)
  return {
    enrolled_students: await tx.$count(enrollments, eq(enrollments.class_id, id)),
    attendance_records: await tx.$count(attendance, eq(attendance.class_id, id)),
  }
}

export async function deleteClass(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  id: string,
): Promise<void> {
  const [row] = await tx
    .delete(classes)
    .where(eq(classes.id, id))
    .returning({ class_name: classes.class_name })
  if (!row) throw notFound('Class')
  await recheckTrials(tx, id)
  await tx
    .update(students)
    .set({ class_preferences: sql`array_remove(${students.class_preferences}, ${id})` })
    .where(arrayContains(students.class_preferences, [id]))
  await auditAction(tx, caller, 'class deleted', { details: { class_name: row.class_name } })
}

/** Each mark stores these details, because the class may be changed or deleted later. */
export type ClassSnapshot = Record<'class_name' | 'class_time' | 'class_location', string>
export const toClassSnapshot = (row: ClassRow): ClassSnapshot => ({
  class_name: row.class_name,
  class_time: timeRange(row),
  class_location: row.location ?? daysText(row),
})
