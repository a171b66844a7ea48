import { daysBetween, lateFeeOf, type LateFeeRule, NO_LATE_FEES } from '@tatami/contract/late-fee-rule'
import { firstDayOf, type Month } from '@tatami/contract/month'
import type { LateFee, NewLateFees } from '@tatami/contract/owing'
import { asc, eq, sql } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { dojos } from '../dojos/tables.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { owedOfMonth } from '../prices/balances.ts'
import { students } from '../students/tables.ts'
import { charges, lateFeeRules, ledgerLines, paymentPromises } from './tables.ts'

export async function lateFeeRuleOf(tx: Tx): Promise<LateFeeRule> {
  const { grace_days, percent, amount } = lateFeeRules
  const [rule] = await tx.select({ grace_days, percent, amount }).from(lateFeeRules)
  return rule ?? NO_LATE_FEES
}

/** Replaces the rule; neither per cent nor dollars means no late fees. What has been charged stays. */
export async function setLateFeeRule(
  tx: Tx,
  caller: Member,
  { grace_days, percent = null, amount = null }: { grace_days: number; percent?: number | null | undefined; amount?: number | null | undefined },
): Promise<LateFeeRule> {
  // Of two that are saved at once the later replaces the earlier.
  await tx.select({ id: dojos.id }).from(dojos).where(eq(dojos.id, caller.dojoId)).for('no key update')
  await tx.delete(lateFeeRules)
  const isOn = percent !== null || amount !== null
  if (isOn) await tx.insert(lateFeeRules).values({ grace_days, percent, amount })
  await auditAct(tx, caller, 'late fee rule set', { details: isOn ? { grace_days, is_on: true } : { is_on: false } })
  return lateFeeRuleOf(tx)
}

/** Who could be charged a late fee for that month now: nobody on trial, on vacation or not approved yet, nobody who has promised to pay by
 *  today or later, and nobody who has one for the month. */
export async function lateFeesOf(tx: Tx, dojoId: string, month: Month): Promise<LateFee[]> {
  const rule = await lateFeeRuleOf(tx),
    today = await todayOf(tx, dojoId)
  const days_late = daysBetween(firstDayOf(month), today)
  if (days_late <= 0) return []
  const { rows } = await tx.execute<{ student_id: string; name: string }>(sql`
    select s.id as student_id, s.name from ${students} s
    where not s.is_trial and not s.on_vacation and not s.awaits_approval
      and not exists (select from ${paymentPromises} p where p.student_id = s.id and p.ended_at is null and p.promised_on >= ${today})
      and not exists (select from ${charges} c join ${ledgerLines} l on l.charge_id = c.id and l.kind = 'charge'
        where c.student_id = s.id and c.kind = 'late_fee' and c.year = ${month.year} and c.month = ${month.month}
        group by c.id having sum(l.amount) > 0)
    order by lower(s.name), s.id`)
  const owing = await owedOfMonth(tx, dojoId, month)
  return rows.flatMap((student) => {
    const owed = owing.get(student.student_id) ?? 0,
      fee = lateFeeOf(rule, owed, days_late)
    return fee > 0 ? [{ ...student, owed, days_late, fee }] : []
  })
}

const CHANGED = 'The list has changed meanwhile. Nobody was charged.'

/** Charges these students the late fee of a month, as one act. Refused (409) where the preview names one of them no more. */
export async function chargeLateFees(tx: Tx, caller: Member, { month, year, student_ids }: NewLateFees) {
  const ids = [...new Set(student_ids)]
  // Two presses for one student are one after the other, so that the second finds the fee of the first.
  const found = await tx.select({ id: students.id }).from(students).where(equalsAny(students.id, ids)).orderBy(asc(students.id)).for('no key update')
  if (found.length < ids.length) throw notFound('Student')
  const due = new Map((await lateFeesOf(tx, caller.dojoId, { month, year })).map((one) => [one.student_id, one]))
  if (ids.some((id) => !due.has(id))) throw new Refusal(409, CHANGED)
  const act_id = newId(),
    charged_on = await todayOf(tx, caller.dojoId),
    fees = ids.map((id) => ({ student_id: id, cents: Math.round(due.get(id)!.fee * 100) }))
  // A late fee that was taken back has its charge still: it gets another line.
  await tx
    .insert(charges)
    .values(ids.map((student_id) => ({ student_id, kind: 'late_fee' as const, month, year, charged_on })))
    .onConflictDoNothing()
  const lines = fees.map((fee) => ({ ...fee, id: newId() }))
  await tx.execute(sql`insert into ledger_lines (id, act_id, student_id, charge_id, kind, amount, made_on, created_at, created_by)
    select r.id, ${act_id}, r.student_id, c.id, 'charge', r.cents, ${charged_on}, ${nowIso()}, ${caller.id}
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r(id uuid, student_id uuid, cents integer)
    join charges c on c.student_id = r.student_id and c.kind = 'late_fee' and c.year = ${year} and c.month = ${month}`)
  const total = fees.reduce((sum, { cents }) => sum + cents, 0) / 100
  await auditAct(tx, caller, 'late fees charged', { details: { month, year, students: ids.length, total } })
  return { act_id, students: ids.length, total }
}
