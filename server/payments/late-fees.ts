import {
  daysBetween,
  lateFeeOf,
  type LateFeeRule,
  NO_LATE_FEES,
} from '@tatami/contract/late-fee-rule'
import { firstDayOf, type Month } from '@tatami/contract/month'
import type { LateFee, NewLateFees } from '@tatami/contract/owing'
import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import { equalsAny, inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { dojos } from '../dojos/tables.ts'
import type { Member } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { pricesInProgress } from './balances.ts'
import { paysToday } from './charges.ts'
import { creditsOf } from './credit.ts'
import { lockStudents, newAct, type NewLine, writeLines } from './ledger.ts'
import { charges, lateFeeRules, ledgerLines, paymentPromises } from './tables.ts'
import { takeUpRecords } from './take-up.ts'

export async function lateFeeRuleOf(tx: Tx): Promise<LateFeeRule> {
  const { grace_days, percent, amount } = lateFeeRules
  const [rule] = await tx.select({ grace_days, percent, amount }).from(lateFeeRules)
  return rule ?? NO_LATE_FEES
}

type NewRule = {
  grace_days: number
  percent?: number | null | undefined
  amount?: number | null | undefined
}

/** Replaces the rule; neither per cent nor dollars means no late fees. What has been charged stays. */
export async function setLateFeeRule(
  tx: Tx,
  caller: Member,
  { grace_days, percent, amount }: NewRule,
): Promise<LateFeeRule> {
  // Of two that are saved at once the later replaces the earlier.
  await tx
    .select({ id: dojos.id })
    .from(dojos)
    .where(eq(dojos.id, caller.dojoId))
    .for('no key update')
  await tx.delete(lateFeeRules)
  const rule = { grace_days, percent: percent ?? null, amount: amount ?? null },
    isOn = rule.percent !== null || rule.amount !== null
  if (isOn) await tx.insert(lateFeeRules).values(rule)
  await auditAct(tx, caller, 'late fee rule set', { details: { is_on: isOn, grace_days } })
  return lateFeeRuleOf(tx)
}

/** What the charges of one kind add up to in a month, by student and in cents: what is still owed, and what was asked. */
async function sumsOf(tx: Tx, kind: 'month' | 'late_fee', { month, year }: Month) {
  const { rows } = await tx.execute<{ student_id: string; owed: number; asked: number }>(sql`
    select c.student_id, sum(l.amount)::float8 as owed, coalesce(sum(l.amount) filter (where l.kind = 'charge'), 0)::float8 as asked
    from ${charges} c join ${ledgerLines} l on l.charge_id = c.id
    where c.kind = ${kind} and c.year = ${year} and c.month = ${month} group by c.student_id`)
  return new Map(rows.map((row) => [row.student_id, row]))
}

/** Who could be charged a late fee for that month now: nobody on trial, on vacation or not approved yet, nobody who has promised to pay by
 *  today or later, and nobody who has one for the month. */
export async function lateFeesOf(tx: Tx, dojoId: string, month: Month): Promise<LateFee[]> {
  const rule = await lateFeeRuleOf(tx),
    today = await todayOf(tx, dojoId)
  const first = firstDayOf(month),
    days_late = daysBetween(first, today)
  if (lateFeeOf(rule, 1_000_000, days_late) === 0) return []
  const owing = await sumsOf(tx, 'month', month),
    charged = await sumsOf(tx, 'late_fee', month)
  const isCurrent = first.slice(0, 7) === today.slice(0, 7)
  const live = isCurrent
    ? await pricesInProgress(tx, dojoId, today)
    : new Map<string, { cents: number }>()
  const promised = new Set(await promisedOn(tx, today))
  const {
    id,
    name,
    is_trial,
    awaits_approval,
    on_vacation,
    vacation_from,
    vacation_until,
    created_at,
    monthly_payment_amount,
  } = students
  const all = await tx
    .select({
      id,
      name,
      is_trial,
      awaits_approval,
      on_vacation,
      vacation_from,
      vacation_until,
      created_at,
      monthly_payment_amount,
    })
    .from(students)
    .orderBy(asc(sql`lower(${name})`), asc(id))
  return all.flatMap((student) => {
    if (
      !paysToday(student, today) ||
      promised.has(student.id) ||
      (charged.get(student.id)?.asked ?? 0) > 0
    )
      return []
    const owed = ((owing.get(student.id)?.owed ?? 0) + (live.get(student.id)?.cents ?? 0)) / 100,
      fee = lateFeeOf(rule, owed, days_late)
    return fee > 0 ? [{ student_id: student.id, name: student.name, owed, days_late, fee }] : []
  })
}

/** Who has promised to pay by this day or a later one. */
async function promisedOn(tx: Tx, today: string): Promise<string[]> {
  const { student_id, ended_at, promised_on } = paymentPromises
  const rows = await tx
    .select({ student_id })
    .from(paymentPromises)
    .where(and(isNull(ended_at), gte(promised_on, today)))
  return rows.map((row) => row.student_id)
}

const CHANGED = 'The list has changed meanwhile. Nobody was charged.'

/** Charges these students the late fee of a month, as one act; who has credit pays with it at once. Refused (409) where the preview names one
 *  of them no more. */
export async function chargeLateFees(
  tx: Tx,
  caller: Member,
  { month, year, student_ids }: NewLateFees,
) {
  const ids = [...new Set(student_ids)]
  await lockStudents(tx, ids)
  await takeUpRecords(
    tx,
    ids.map((student_id) => ({ student_id, month, year })),
  )
  const due = new Map(
    (await lateFeesOf(tx, caller.dojoId, { month, year })).map(({ student_id, fee }) => [
      student_id,
      Math.round(fee * 100),
    ]),
  )
  if (ids.some((id) => !due.has(id))) throw new Refusal(409, CHANGED)
  const act = await newAct(tx, caller)
  const chargeOf = await ensureLateFees(tx, ids, { month, year }, act.made_on)
  const credits = await creditsOf(tx, ids)
  const lines = ids.flatMap((student_id): NewLine[] => {
    const line = { student_id, charge_id: chargeOf.get(student_id)!, cents: due.get(student_id)! },
      covered = Math.min(line.cents, credits.get(student_id) ?? 0)
    return [
      { ...line, kind: 'charge' },
      ...(covered > 0 ? [{ ...line, kind: 'credit' as const, cents: 0 - covered }] : []),
    ]
  })
  await writeLines(tx, act, lines)
  const total = ids.reduce((sum, id) => sum + due.get(id)!, 0) / 100
  await auditAct(tx, caller, 'late fees charged', {
    details: { month, year, students: ids.length, amount: total },
  })
  return { act_id: act.id, students: ids.length, total }
}

/** The charges of these students' late fees. One that was taken back has its charge still, which gets another line. */
async function ensureLateFees(
  tx: Tx,
  ids: string[],
  { month, year }: Month,
  charged_on: string,
): Promise<Map<string, string>> {
  const rows = ids.map((student_id) => ({
    student_id,
    kind: 'late_fee' as const,
    month,
    year,
    charged_on,
  }))
  await inChunks(rows, (some) => tx.insert(charges).values(some).onConflictDoNothing())
  const lateFees = await tx
    .select({ id: charges.id, student_id: sql<string>`${charges.student_id}` })
    .from(charges)
    .where(
      and(
        equalsAny(charges.student_id, ids),
        eq(charges.kind, 'late_fee'),
        eq(charges.year, year),
        eq(charges.month, month),
      ),
    )
  return new Map(lateFees.map(({ id, student_id }) => [student_id, id]))
}
