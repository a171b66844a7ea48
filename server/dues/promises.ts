import type { NewPromise, PaymentPromise } from '@tatami/contract/dues/owing'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import { balancesOf } from './balances.ts'
import { lockStudents } from '../ledger/ledger.ts'
import { ledgerLines, paymentPromises } from '../ledger/tables.ts'

const { id, student_id, promised_on, note } = paymentPromises

/** The promises that nobody has ended, a row for each student. */
export const openPromises = (tx: Tx): Promise<(PaymentPromise & { student_id: string })[]> =>
  tx
    .select({ id, student_id, promised_on, note })
    .from(paymentPromises)
    .where(isNull(paymentPromises.ended_at))
    .orderBy(asc(promised_on), asc(id))

/** Notes when these students pay; what was said of them before has ended with it. */
export async function makePromise(tx: Tx, caller: Member, { student_ids, ...said }: NewPromise) {
  const today = await todayOf(tx, caller.dojoId)
  if (said.promised_on < today) throw invalid('promised_on', 'The day must be today or later')
  const ids = [...new Set(student_ids)]
  // Two promises for one student are made one after the other.
  await lockStudents(tx, ids)
  await tx
    .update(paymentPromises)
    .set({ ended_at: nowIso() })
    .where(and(equalsAny(student_id, ids), isNull(paymentPromises.ended_at)))
  const promise = { id: newId(), promised_on: said.promised_on, note: said.note ?? null }
  await tx
    .insert(paymentPromises)
    .values(ids.map((one) => ({ ...promise, student_id: one, created_by: caller.id })))
  await auditAct(tx, caller, 'payment promise noted', {
    details: { students: ids.length, day: promise.promised_on },
  })
  return { ...promise, student_ids: ids }
}

/** Ends a promise for all its students. One that has ended stays as it is. */
export async function endPromise(tx: Tx, caller: Member, promiseId: string): Promise<void> {
  const [known] = await tx.select({ id }).from(paymentPromises).where(eq(id, promiseId)).limit(1)
  if (!known) throw notFound('Promise')
  const ended = await tx
    .update(paymentPromises)
    .set({ ended_at: nowIso() })
    .where(and(eq(id, promiseId), isNull(paymentPromises.ended_at)))
    .returning({ student_id })
  if (ended.length > 0)
    await auditAct(tx, caller, 'payment promise ended', { details: { students: ended.length } })
}

/** After an act, whose reply is handed on: the promises of its students who owe nothing any more have been kept. */
export async function settlePromises<R extends { act_id: string | null }>(
  tx: Tx,
  dojoId: string,
  reply: R,
): Promise<R> {
  if (reply.act_id === null) return reply
  const ofAct = tx
    .select({ one: ledgerLines.student_id })
    .from(ledgerLines)
    .where(eq(ledgerLines.act_id, reply.act_id))
  const open = await tx
    .select({ student_id })
    .from(paymentPromises)
    .where(and(isNull(paymentPromises.ended_at), inArray(student_id, ofAct)))
  if (open.length === 0) return reply
  const ids = open.map((one) => one.student_id)
  const owing = new Set(
    (await balancesOf(tx, dojoId, ids)).flatMap((one) => (one.owed > 0 ? [one.student_id] : [])),
  )
  const kept = ids.filter((one) => !owing.has(one))
  await tx
    .update(paymentPromises)
    .set({ ended_at: nowIso(), ended_by_act: reply.act_id })
    .where(and(equalsAny(student_id, kept), isNull(paymentPromises.ended_at)))
  return reply
}

/** The act that had paid everything is taken back: what was promised counts again, unless something else was promised since. */
export async function reopenPromises(tx: Tx, actId: string): Promise<void> {
  const ended = await tx
    .select({ student_id })
    .from(paymentPromises)
    .where(eq(paymentPromises.ended_by_act, actId))
  if (ended.length === 0) return
  const studentIds = ended.map((one) => one.student_id)
  const newer = await tx
    .select({ student_id })
    .from(paymentPromises)
    .where(and(equalsAny(student_id, studentIds), isNull(paymentPromises.ended_at)))
  const replaced = new Set(newer.map((one) => one.student_id))
  const back = studentIds.filter((one) => !replaced.has(one))
  await tx
    .update(paymentPromises)
    .set({ ended_at: null, ended_by_act: null })
    .where(and(eq(paymentPromises.ended_by_act, actId), equalsAny(student_id, back)))
}
