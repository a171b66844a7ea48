import type { NewPromise, PaymentPromise } from '@tatami/contract/dues/owing'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { lockStudents } from '../ledger/ledger.ts'
import { ledgerLines, paymentPromises } from '../ledger/tables.ts'
import { balancesOf } from './balances.ts'

const { id, student_id, promised_on, note } = paymentPromises
const isOpen = isNull(paymentPromises.ended_at)

export const openPromises = (tx: Tx): Promise<(PaymentPromise & { student_id: string })[]> =>
  tx
    .select({ id, student_id, promised_on, note })
    .from(paymentPromises)
    .where(isOpen)
    .orderBy(asc(promised_on), asc(id))

export async function makePromise(tx: Tx, caller: DojoCaller, form: NewPromise) {
  const today = await todayOf(tx, caller.dojoId)
  if (form.promised_on < today) throw invalid('promised_on', 'The day must be today or later')
  const ids = [...new Set(form.student_ids)]
  // The lock makes promises for the same student wait for each other.
  await lockStudents(tx, ids)
  await tx
    .update(paymentPromises)
    .set({ ended_at: nowIso() })
    .where(and(equalsAny(student_id, ids), isOpen))
  const promise = { id: newId(), promised_on: form.promised_on, note: form.note ?? null }
  await tx
    .insert(paymentPromises)
    .values(ids.map((studentId) => ({ ...promise, student_id: studentId, created_by: caller.id })))
  await auditAction(tx, caller, 'payment promise noted', {
    details: { students: ids.length, day: promise.promised_on },
  })
  return { ...promise, student_ids: ids }
}

/** Ends a promise for all its students. A promise that has already ended does not change. */
export async function endPromise(tx: Tx, caller: DojoCaller, promiseId: string): Promise<void> {
  if ((await tx.$count(paymentPromises, eq(id, promiseId))) === 0) throw notFound('Promise')
  const endedPromises = await tx
    .update(paymentPromises)
    .set({ ended_at: nowIso() })
    .where(and(eq(id, promiseId), isOpen))
    .returning({ student_id })
  if (endedPromises.length > 0)
    await auditAction(tx, caller, 'payment promise ended', {
      details: { students: endedPromises.length },
    })
}

/** Ends the promises of students who owe nothing after the act of `reply`. Returns `reply`. */
export async function settlePromises<R extends { act_id: string | null }>(
  tx: Tx,
  dojoId: string,
  reply: R,
): Promise<R> {
  if (reply.act_id === null) return reply
  const studentsOfAct = tx
    .select({ student_id: ledgerLines.student_id })
    .from(ledgerLines)
    .where(eq(ledgerLines.act_id, reply.act_id))
  const promises = await tx
    .select({ student_id })
    .from(paymentPromises)
    .where(and(isOpen, inArray(student_id, studentsOfAct)))
  if (promises.length === 0) return reply
  const ids = pluck(promises, 'student_id')
  const balances = await balancesOf(tx, dojoId, ids)
  const owingIds = new Set(
    pluck(
      balances.filter(({ owed }) => owed > 0),
      'student_id',
    ),
  )
  const settledIds = ids.filter((studentId) => !owingIds.has(studentId))
  await tx
    .update(paymentPromises)
    .set({ ended_at: nowIso(), ended_by_act: reply.act_id })
    .where(and(equalsAny(student_id, settledIds), isOpen))
  return reply
}

/** Reopens the promises that an undone act had ended, unless there are newer ones. */
export async function reopenPromises(tx: Tx, actId: string): Promise<void> {
  const endedByAct = eq(paymentPromises.ended_by_act, actId)
  const endedPromises = await tx.select({ student_id }).from(paymentPromises).where(endedByAct)
  if (endedPromises.length === 0) return
  const studentIds = pluck(endedPromises, 'student_id')
  const newerPromises = await tx
    .select({ student_id })
    .from(paymentPromises)
    .where(and(equalsAny(student_id, studentIds), isOpen))
  const replacedIds = new Set(pluck(newerPromises, 'student_id'))
  const reopenedIds = studentIds.filter((studentId) => !replacedIds.has(studentId))
  await tx
    .update(paymentPromises)
    .set({ ended_at: null, ended_by_act: null })
    .where(and(endedByAct, equalsAny(student_id, reopenedIds)))
}
