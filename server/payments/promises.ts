import type { NewPromise, PaymentPromise } from '@tatami/contract/owing'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { balancesIn } from '../prices/balances.ts'
import { students } from '../students/tables.ts'
import { paymentPromises } from './tables.ts'

const { id, student_id, promised_on, note } = paymentPromises

/** The promises that nobody has ended, a row for each student. */
export const openPromises = (tx: Tx): Promise<(PaymentPromise & { student_id: string })[]> =>
  tx.select({ id, student_id, promised_on, note }).from(paymentPromises).where(isNull(paymentPromises.ended_at)).orderBy(asc(promised_on), asc(id))

/** Notes when these students pay; what was said of them before has ended with it. */
export async function makePromise(tx: Tx, caller: Member, { student_ids, ...said }: NewPromise) {
  const today = await todayOf(tx, caller.dojoId)
  if (said.promised_on < today) throw refusedDay('The day must be today or later')
  const ids = [...new Set(student_ids)]
  // Two promises for one student are made one after the other.
  const found = await tx.select({ id: students.id }).from(students).where(equalsAny(students.id, ids)).orderBy(asc(students.id)).for('no key update')
  if (found.length < ids.length) throw notFound('Student')
  await tx
    .update(paymentPromises)
    .set({ ended_at: nowIso() })
    .where(and(equalsAny(student_id, ids), isNull(paymentPromises.ended_at)))
  const promise = { id: newId(), promised_on: said.promised_on, note: said.note ?? null }
  await tx.insert(paymentPromises).values(ids.map((one) => ({ ...promise, student_id: one, created_by: caller.id })))
  await auditAct(tx, caller, 'payment promise noted', { details: { students: ids.length, day: promise.promised_on } })
  return { ...promise, student_ids: ids }
}

const refusedDay = (message: string) => new Refusal(422, message, { errors: [{ field: 'promised_on', message }] })

/** Ends a promise for all its students. One that has ended stays as it is. */
export async function endPromise(tx: Tx, caller: Member, promiseId: string): Promise<void> {
  const [known] = await tx.select({ id }).from(paymentPromises).where(eq(id, promiseId)).limit(1)
  if (!known) throw notFound('Promise')
  const ended = await tx
    .update(paymentPromises)
    .set({ ended_at: nowIso() })
    .where(and(eq(id, promiseId), isNull(paymentPromises.ended_at)))
    .returning({ student_id })
  if (ended.length > 0) await auditAct(tx, caller, 'payment promise ended', { details: { students: ended.length } })
}

/** An act has changed what these students owe: the promises of those who owe nothing any more have ended. */
export async function endKeptPromises(tx: Tx, dojoId: string, studentIds: string[], actId: string): Promise<void> {
  const open = await tx
    .select({ student_id })
    .from(paymentPromises)
    .where(and(equalsAny(student_id, studentIds), isNull(paymentPromises.ended_at)))
  if (open.length === 0) return
  const owing = new Set((await balancesIn(tx, dojoId)).flatMap((one) => (one.owed > 0 ? [one.student_id] : [])))
  const kept = open.map((one) => one.student_id).filter((one) => !owing.has(one))
  await tx
    .update(paymentPromises)
    .set({ ended_at: nowIso(), ended_by_act: actId })
    .where(and(equalsAny(student_id, kept), isNull(paymentPromises.ended_at)))
}

/** The act that had paid everything is taken back: what was promised counts again, unless something else was promised since. */
export async function reopenPromises(tx: Tx, actId: string): Promise<void> {
  const ended = await tx.select({ id, student_id }).from(paymentPromises).where(eq(paymentPromises.ended_by_act, actId))
  if (ended.length === 0) return
  const studentIds = ended.map((one) => one.student_id)
  const newer = await tx
    .select({ student_id })
    .from(paymentPromises)
    .where(and(equalsAny(student_id, studentIds), isNull(paymentPromises.ended_at)))
  const replaced = new Set(newer.map((one) => one.student_id))
  await tx
    .update(paymentPromises)
    .set({ ended_at: null, ended_by_act: null })
    .where(and(eq(paymentPromises.ended_by_act, actId), equalsAny(student_id, studentIds.filter((one) => !replaced.has(one)))))
}
