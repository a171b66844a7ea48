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
import { type Actor, deleteGuardiansOfNobody } from '../guardians/guardian-records.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { todayOf } from '../dojos/dojos.ts'
import { systemAct, linesOfStudents, reversalOf, effectiveLines } from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { ledgerLines, paymentRecords } from '../ledger/tables.ts'
import { keepSiblingPrices } from '../students/sibling-prices.ts'
import { removeStudentsFromNotifications } from '../notifications/withdraw.ts'
import { enrolments, studentNotes, students } from '../students/tables.ts'
import { incomingTexts, messages } from '../texting/tables.ts'
import { forgetImportedConsents } from '../texting/departure.ts'
import { undoableSince } from './imports.ts'
import { classMarks, guardianMarks, studentMarks } from './marks.ts'
import { type ImportDetails, studentImports } from './tables.ts'

type KeptItem = UndoneImport['kept'][number]

/**
 * Deletes the students, guardians and classes of an import, and empties what it filled in. Whatever
 * has been used or changed since stays, and is named with the reason. 409 if it is too late.
 */
export async function undoImport(tx: Tx, caller: Actor, id: string): Promise<UndoneImport> {
  const [storedImport] = await tx
    .select()
    .from(studentImports)
    .where(eq(studentImports.id, id))
    .for('update')
  if (!storedImport) throw notFound('Import')
  if (storedImport.undone_at !== null) throw new Refusal(409, 'This import was undone already')
  if (storedImport.created_at <= undoableSince())
    throw new Refusal(409, `An import can be undone for ${UNDO_IMPORT_HOURS} hours`)
  const { details } = storedImport
  const keptItems: KeptItem[] = []
  const removedStudents = await removeStudents(tx, caller, details, keptItems)
  const emptiedStudents = await emptyFilled(tx, caller.dojoId, details, keptItems)
  const guardiansGone = await removeGuardians(tx, caller, details, keptItems)
  const classesGone = await removeClasses(tx, caller, details, keptItems)
  await forgetImportedConsents(tx, details.consents ?? [])
  await tx.update(studentImports).set({ undone_at: nowIso() }).where(eq(studentImports.id, id))
  const figures = {
    students: removedStudents.length,
    merged: emptiedStudents,
    guardians: guardiansGone,
    classes: classesGone,
  }
  await auditAction(tx, caller, 'import undone', {
    subject_id: id,
    details: { ...figures, kept: keptItems.length },
  })
  return { ...figures, kept: keptItems }
}

type State = { id: string; name: string; phone: string | null; has_log_in: boolean } & Record<
  'attendance' | 'payments' | 'texts',
  boolean
>

async function statesOf(tx: Tx, ids: string[]): Promise<State[]> {
  const has = (table: PgTable) =>
    sql`exists (select from ${table} t where t.dojo_id = s.dojo_id and t.student_id = s.id)`
  // Charges of the schedule do not count.
  const isInLedger = sql`exists (select from ${ledgerLines} t where t.dojo_id = s.dojo_id
    and t.student_id = s.id and t.created_by is not null)`
  await tx
    .select({ id: students.id })
    .from(students)
    .where(equalsAny(students.id, ids))
    .orderBy(students.id)
    .for('update')
  const { rows } = await tx.execute<State>(sql`
    select s.id, s.name, s.phone_number as phone, s.email is not null as has_log_in,
      (${has(attendance)} or ${has(excuses)}) as attendance,
      (${has(paymentRecords)} or ${isInLedger}) as payments,
      (${has(messages)} or ${has(incomingTexts)}) as texts
    from ${students} s where s.id = any(${sql.param(ids)}) order by lower(s.name), s.id`)
  return rows
}

function reasonToKeep(state: State, isChanged: boolean): KeptReason | null {
  if (state.attendance) return 'attendance'
  if (state.payments) return 'payments'
  if (state.texts) return 'texts'
  if (state.has_log_in) return 'log_in'
  return isChanged ? 'changed' : null
}

/** Reverses charges of the schedule, so that the books expect nothing. */
async function reverseCharges(tx: Tx, dojoId: string, studentIds: string[]): Promise<void> {
  const lines = effectiveLines(await linesOfStudents(tx, studentIds)).map(reversalOf)
  if (lines.length > 0) await writeLines(tx, systemAct(await todayOf(tx, dojoId)), lines)
}

async function removeStudents(
  tx: Tx,
  caller: Actor,
  details: ImportDetails,
  keptItems: KeptItem[],
): Promise<State[]> {
  const states = await statesOf(tx, pluck(details.students, 'id'))
  const marks = await studentMarks(tx, pluck(states, 'id'))
  const markOf = new Map(details.students.map(({ id, mark }) => [id, mark]))
  const going: State[] = []
  for (const state of states) {
    const reason = reasonToKeep(state, marks.get(state.id) !== markOf.get(state.id))
    if (reason) keptItems.push({ kind: 'student', name: state.name, reason })
    else going.push(state)
  }
  const ids = pluck(going, 'id')
  await reverseCharges(tx, caller.dojoId, ids)
  await removeStudentsFromNotifications(tx, ids)
  await keepSiblingPrices(tx, caller.dojoId, ids, () =>
    tx.delete(students).where(equalsAny(students.id, ids)),
  )
  return going
}

async function emptyFilled(
  tx: Tx,
  dojoId: string,
  { merged }: ImportDetails,
  keptItems: KeptItem[],
): Promise<number> {
  const ids = pluck(merged, 'id')
  const marks = await studentMarks(tx, ids)
  const names = await tx
    .select({ id: students.id, name: students.name })
    .from(students)
    .where(equalsAny(students.id, ids))
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  const unchangedStudents = merged.filter(({ id, mark }) => marks.get(id) === mark)
  const hasChanged = ({ id, mark }: (typeof merged)[number]) =>
    marks.has(id) && marks.get(id) !== mark
  for (const { id } of merged.filter(hasChanged))
    keptItems.push({ kind: 'student', name: nameOf.get(id)!, reason: 'changed' })
  for (const { id, fields, notes, class_ids, guardian_ids } of unchangedStudents) {
    const empty = (fieldNames: string[]) =>
      Object.fromEntries(fieldNames.map((field) => [field, null]))
    if (fields.length > 0) await tx.update(students).set(empty(fields)).where(eq(students.id, id))
    if (notes.length > 0)
      await tx.update(studentNotes).set(empty(notes)).where(eq(studentNotes.student_id, id))
    if (class_ids.length > 0)
      await tx
        .delete(enrolments)
        .where(and(eq(enrolments.student_id, id), equalsAny(enrolments.class_id, class_ids)))
    if (guardian_ids.length > 0)
      await tx
        .delete(guardianships)
        .where(
          and(eq(guardianships.student_id, id), equalsAny(guardianships.guardian_id, guardian_ids)),
        )
  }
  await endLostAccess(tx, dojoId, pluck(unchangedStudents, 'id'))
  return unchangedStudents.length
}

async function removeGuardians(
  tx: Tx,
  caller: Actor,
  details: ImportDetails,
  keptItems: KeptItem[],
): Promise<number> {
  const ids = pluck(details.guardians, 'id')
  const marks = await guardianMarks(tx, ids)
  const markOf = new Map(details.guardians.map(({ id, mark }) => [id, mark]))
  const changedIds = marks.filter(({ id, mark }) => mark !== markOf.get(id)).map(({ id }) => id)
  const rows = await tx
    .select({ name: guardians.name, account_id: guardians.account_id })
    .from(guardians)
    .where(equalsAny(guardians.id, changedIds))
  for (const { name, account_id } of rows)
    keptItems.push({ kind: 'guardian', name, reason: account_id === null ? 'changed' : 'log_in' })
  const unchangedIds = marks.filter(({ id, mark }) => mark === markOf.get(id)).map(({ id }) => id)
  return deleteGuardiansOfNobody(tx, caller, unchangedIds)
}

async function removeClasses(
  tx: Tx,
  caller: Actor,
  details: ImportDetails,
  keptItems: KeptItem[],
): Promise<number> {
  const markOf = new Map(details.classes.map(({ id, mark }) => [id, mark]))
  const marks = await classMarks(tx, pluck(details.classes, 'id'))
  let removedCount = 0
  for (const { id, mark } of marks) {
    const [row] = await tx
      .select({ name: classes.class_name })
      .from(classes)
      .where(eq(classes.id, id))
      .for('update')
    const isUsed =
      (await tx.$count(enrolments, eq(enrolments.class_id, id))) > 0 ||
      (await tx.$count(attendance, eq(attendance.class_id, id))) > 0
    const reason: KeptReason | null = isUsed ? 'in_use' : mark === markOf.get(id) ? null : 'changed'
    if (reason) keptItems.push({ kind: 'class', name: row!.name, reason })
    else {
      await deleteClass(tx, caller, id)
      removedCount += 1
    }
  }
  return removedCount
}
