import type { PayRate, RateForm } from '@tatami/contract/staff/pay'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import { byName, newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { notFound } from '../../lib/refusal.ts'
import { pick } from '../../lib/rows.ts'
import { instructors } from '../../sensei/tables.ts'
import { lockMember } from '../membership.ts'
import { staffMembers } from '../tables.ts'
import { payRates } from './tables.ts'

const rateColumns = {
  ...pick(payRates, 'id', 'person_id', 'task', 'unit', 'amount'),
  from: payRates.starts_on,
}

/** The newest rate of a task comes first. Includes former staff, because their last hours may not
 *  be paid yet. */
export async function readRates(tx: Tx) {
  const rates = await tx
    .select(rateColumns)
    .from(payRates)
    .orderBy(asc(sql`lower(${payRates.task})`), desc(payRates.starts_on))
  const people = await tx
    .select(pick(instructors, 'id', 'name'))
    .from(staffMembers)
    .innerJoin(instructors, eq(instructors.id, staffMembers.instructor_id))
    .orderBy(...byName(instructors))
  return { rates, people }
}

/** Replaces a rate of the same task that begins on the same day. */
export async function setRate(
  tx: Tx,
  caller: DojoCaller,
  { person_id, task, unit, amount, from }: RateForm,
): Promise<PayRate> {
  await lockMember(tx, person_id)
  await tx
    .delete(payRates)
    .where(
      and(
        eq(payRates.person_id, person_id),
        eq(sql`lower(${payRates.task})`, sql`lower(${task})`),
        eq(payRates.starts_on, from),
      ),
    )
  const rate = { id: newId(), person_id, task, unit, amount }
  await tx.insert(payRates).values({ ...rate, starts_on: from, created_by: caller.id })
  await auditAction(tx, caller, 'pay rate set', { subject_id: person_id, details: { day: from } })
  return { ...rate, from }
}

export async function removeRate(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const [rate] = await tx.delete(payRates).where(eq(payRates.id, id)).returning()
  if (!rate) throw notFound('Rate')
  await auditAction(tx, caller, 'pay rate deleted', {
    subject_id: rate.person_id,
    details: { day: rate.starts_on },
  })
}
