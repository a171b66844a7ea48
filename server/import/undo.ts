import {
  type KeptReason,
  UNDO_IMPORT_HOURS,
  type UndoneImport,
} from '@tatami/contract/import/import'
import { and, eq, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { attendance } from '../attendance/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { deleteClass } from '../classes/classes.ts'
import { classes } from '../classes/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { excuses } from '../calendar/excuses/tables.ts'
import { type Actor, deleteUnlinkedGuardians } from '../guardians/guardian-records.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { firstRow, pluck } from '../lib/rows.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { todayOf } from '../dojos/dojos.ts'
import { systemAct, linesOfStudents, reversalOf, effectiveLines } from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { ledgerLines, paymentRecords } from '../ledger/tables.ts'
import { leaveSchool } from '../students/leaving.ts'
import { keepSiblingPrices } from '../students/sibling-prices.ts'
import { removeStudentsFromNotifications } from '../notifications/withdraw.ts'
import { enrollments, studentNotes, students } from '../students/tables.ts'
import { incomingTexts, messages } from '../texting/tables.ts'
import { forgetImportedConsents } from '../texting/departure.ts'
import { deleteUnusedPlans } from './memberships.ts'
import { earliestUndoableTime } from './imports.ts'
import { hashClasses, hashGuardians, hashStudents } from './fingerprints.ts'
import { type ImportDetails, studentImports } from './tables.ts'
import { deleteImportedWaivers } from './waivers.ts'

type KeptItem = UndoneImport['kept'][number]

/**
 * Deletes what the import added, and clears fields that it filled in. Keeps and returns what was
 * used or changed after the import. Throws 409 if it is too late to undo the import.
 */
export async function undoImport(tx: Tx, caller: Actor, id: string): Promise<UndoneImport> {
  const [storedImport] = await tx
    .select()
    .from(studentImports)
    .where(eq(studentImports.id, id))
    .for('update')
  if (!storedImport) throw notFound('Import')
  if (storedImport.undone_at !== null) throw new Refusal(409, 'This import was already undone')
  if (storedImport.created_at <= earliestUndoableTime())
    throw new Refusal(409, `An import can be undone for ${UNDO_IMPORT_HOURS} hours`)
  const { details } = storedImport
  const keptItems: KeptItem[] = []
  const studentCount = await deleteUnusedStudents(tx, caller, details, keptItems)
  const mergedCount = await clearFilledFields(tx, caller, details, keptItems)
  const guardianCount = await deleteUnusedGuardians(tx, caller, details, keptItems)
  const classCount = await deleteUnusedClasses(tx, caller, details, keptItems)
  await deleteUnusedPlans(tx, details.plan_ids ?? [])
  await deleteImportedWaivers(tx, details.waiver_ids ?? [], pluck(details.merged, 'id'))
  await forgetImportedConsents(tx, details.consents ?? [])
  await tx.update(studentImports).set({ undone_at: nowIso() }).where(eq(studentImports.id, id))
  const counts = {
    students: studentCount,
    merged: mergedCount,
    guardians: guardianCount,
    classes: classCount,
  }
  await auditAction(tx, caller, 'import undone', {
    subject_id: id,
    details: { ...counts, kept: keptItems.length },
  })
  return { ...counts, kept: keptItems }
}

type StudentUsage = {
  id: string
  name: string
  phone: string | null
  has_log_in: boolean
} & Record<'attendance' | 'payments' | 'texts', boolean>

async function findStudentUsage(tx: Tx, details: ImportDetails): Promise<StudentUsage[]> {
  const ids = pluck(details.students, 'id')
  const hasRowsIn = (table: PgTable) =>
    sql`exists (select from ${table} t where t.dojo_id = s.dojo_id and t.student_id = s.id)`
  // Charges made by the monthly schedule or by the import do not count.
  const hasPayments = sql`exists (select from ${ledgerLines} t where t.dojo_id = s.dojo_id
    and t.student_id = s.id and t.created_by is not null
    and t.act_id <> all(${sql.param(details.balance_acts ?? [])}::uuid[]))`
  await tx
    .select({ id: students.id })
    .from(students)
    .where(equalsAny(students.id, ids))
    .orderBy(students.id)
    .for('update')
  const { rows } = await tx.execute<StudentUsage>(sql`
    select s.id, s.name, s.phone_number as phone, s.email is not null as has_log_in,
      (${hasRowsIn(attendance)} or ${hasRowsIn(excuses)}) as attendance,
      (${hasRowsIn(paymentRecords)} or ${hasPayments}) as payments,
      (${hasRowsIn(messages)} or ${hasRowsIn(incomingTexts)}) as texts
    from ${students} s where s.id = any(${sql.param(ids)}) order by lower(s.name), s.id`)
  return rows
}

function findReasonToKeep(usage: StudentUsage, isChanged: boolean): KeptReason | null {
  if (usage.attendance) return 'attendance'
  if (usage.payments) return 'payments'
  if (usage.texts) return 'texts'
  if (usage.has_log_in) return 'log_in'
  return isChanged ? 'changed' : null
}

async function reverseCharges(tx: Tx, dojoId: string, studentIds: string[]): Promise<void> {
  const lines = effectiveLines(await linesOfStudents(tx, studentIds)).map(reversalOf)
  if (lines.length > 0) await writeLines(tx, systemAct(await todayOf(tx, dojoId)), lines)
}

async function deleteUnusedStudents(
  tx: Tx,
  caller: Actor,
  details: ImportDetails,
  keptItems: KeptItem[],
): Promise<number> {
  const usages = await findStudentUsage(tx, details)
  const fingerprints = await hashStudents(tx, pluck(usages, 'id'))
  const storedFingerprints = new Map(details.students.map(({ id, mark }) => [id, mark]))
  const unusedIds: string[] = []
  for (const usage of usages) {
    const isChanged = fingerprints.get(usage.id) !== storedFingerprints.get(usage.id)
    const reason = findReasonToKeep(usage, isChanged)
    if (reason) keptItems.push({ kind: 'student', name: usage.name, reason })
    else unusedIds.push(usage.id)
  }
  await reverseCharges(tx, caller.dojoId, unusedIds)
  await removeStudentsFromNotifications(tx, unusedIds)
  await keepSiblingPrices(tx, caller.dojoId, unusedIds, () =>
    tx.delete(students).where(equalsAny(students.id, unusedIds)),
  )
  return unusedIds.length
}

async function clearFilledFields(
  tx: Tx,
  caller: Actor,
  { merged }: ImportDetails,
  keptItems: KeptItem[],
): Promise<number> {
  const ids = pluck(merged, 'id')
  const fingerprints = await hashStudents(tx, ids)
  const rows = await tx
    .select({ id: students.id, name: students.name })
    .from(students)
    .where(equalsAny(students.id, ids))
    .orderBy(sql`lower(${students.name})`, students.id)
  const storedFingerprints = new Map(merged.map(({ id, mark }) => [id, mark]))
  const isUnchanged = (id: string) => fingerprints.get(id) === storedFingerprints.get(id)
  for (const { id, name } of rows)
    if (!isUnchanged(id)) keptItems.push({ kind: 'student', name, reason: 'changed' })
  const unchangedStudents = merged.filter(({ id }) => isUnchanged(id))
  for (const student of unchangedStudents) {
    await removeAdditions(tx, student)
    if (student.left) await leaveSchool(tx, caller, student.id, student.left)
  }
  await endLostAccess(tx, caller.dojoId, pluck(unchangedStudents, 'id'))
  return unchangedStudents.length
}

async function removeAdditions(
  tx: Tx,
  { id, fields, notes, class_ids, guardian_ids }: ImportDetails['merged'][number],
): Promise<void> {
  const toNulls = (fieldNames: string[]) =>
    Object.fromEntries(fieldNames.map((field) => [field, null]))
  if (fields.length > 0) await tx.update(students).set(toNulls(fields)).where(eq(students.id, id))
  if (notes.length > 0)
    await tx.update(studentNotes).set(toNulls(notes)).where(eq(studentNotes.student_id, id))
  if (class_ids.length > 0)
    await tx
      .delete(enrollments)
      .where(and(eq(enrollments.student_id, id), equalsAny(enrollments.class_id, class_ids)))
  if (guardian_ids.length > 0)
    await tx
      .delete(guardianships)
      .where(
        and(eq(guardianships.student_id, id), equalsAny(guardianships.guardian_id, guardian_ids)),
      )
}

async function deleteUnusedGuardians(
  tx: Tx,
  caller: Actor,
  details: ImportDetails,
  keptItems: KeptItem[],
): Promise<number> {
  const storedFingerprints = new Map(details.guardians.map(({ id, mark }) => [id, mark]))
  const currentFingerprints = await hashGuardians(tx, pluck(details.guardians, 'id'))
  const { unchangedRows = [], changedRows = [] } = Object.groupBy(
    currentFingerprints,
    ({ id, mark }) => (mark === storedFingerprints.get(id) ? 'unchangedRows' : 'changedRows'),
  )
  const rows = await tx
    .select({ name: guardians.name, account_id: guardians.account_id })
    .from(guardians)
    .where(equalsAny(guardians.id, pluck(changedRows, 'id')))
  for (const { name, account_id } of rows)
    keptItems.push({ kind: 'guardian', name, reason: account_id === null ? 'changed' : 'log_in' })
  return deleteUnlinkedGuardians(tx, caller, pluck(unchangedRows, 'id'))
}

async function deleteUnusedClasses(
  tx: Tx,
  caller: Actor,
  details: ImportDetails,
  keptItems: KeptItem[],
): Promise<number> {
  const storedFingerprints = new Map(details.classes.map(({ id, mark }) => [id, mark]))
  const currentFingerprints = await hashClasses(tx, pluck(details.classes, 'id'))
  let deletedCount = 0
  for (const { id, mark } of currentFingerprints) {
    const rows = await tx
      .select({ name: classes.class_name })
      .from(classes)
      .where(eq(classes.id, id))
      .for('update')
    const reason = await findReasonToKeepClass(tx, id, mark !== storedFingerprints.get(id))
    if (reason) keptItems.push({ kind: 'class', name: firstRow(rows).name, reason })
    else {
      await deleteClass(tx, caller, id)
      deletedCount += 1
    }
  }
  return deletedCount
}

async function findReasonToKeepClass(
  tx: Tx,
  id: string,
  isChanged: boolean,
): Promise<KeptReason | null> {
  const enrollmentCount = await tx.$count(enrollments, eq(enrollments.class_id, id))
  const attendanceCount = await tx.$count(attendance, eq(attendance.class_id, id))
  if (enrollmentCount > 0 || attendanceCount > 0) return 'in_use'
  return isChanged ? 'changed' : null
}
