import { sumCents, toDollars, toCents } from '@tatami/contract/lib/money'
import { daysBetween, firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { lateFeeOf, type LateFeeRule, NO_LATE_FEES } from '@tatami/contract/dues/late-fee-rule'
import type { LateFee, NewLateFees } from '@tatami/contract/dues/owing'
import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import { equalsAny, inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { dojos } from '../dojos/tables.ts'
import type { Member } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { amountsLeft } from './amounts.ts'
import { monthDues } from './month-dues.ts'
import { paysToday } from './who-pays.ts'
import { students } from '../students/tables.ts'
import { creditsOf } from '../ledger/credit.ts'
import { lockStudents, newAct, type NewLine, payerColumns } from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { charges, lateFeeRules, ledgerLines, paymentPromises } from '../ledger/tables.ts'

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

/** Who has a late fee for the month already; one that was forgiven counts, one that was taken back does not. */
async function studentsWithLateFee(tx: Tx, { month, year }: Month): Promise<Set<string>> {
  const { rows } = await tx.execute<{ student_id: string }>(sql`
    select c.student_id from ${charges} c join ${ledgerLines} l on l.charge_id = c.id
    where c.kind = 'late_fee' and c.year = ${year} and c.month = ${month} and l.kind = 'charge'
    group by c.student_id having sum(l.amount) > 0`)
  return new Set(rows.map(({ student_id }) => student_id))
}

/** Who could be charged a late fee for that month now: nobody on trial, on vacation or not approved yet, nobody who has promised to pay by
 *  today or later, and nobody who has one for the month. They are late from the day since when they owe it. */
export async function lateFeesOf(tx: Tx, dojoId: string, month: Month): Promise<LateFee[]> {
  const rule = await lateFeeRuleOf(tx),
    today = await todayOf(tx, dojoId)
  if (lateFeeOf(rule, 1_000_000, daysBetween(firstDayOf(month), today)) === 0) return []
  const dues = await monthDues(tx, dojoId, month)
  const amounts = await amountsLeft(tx, dojoId, month)
  const charged = await studentsWithLateFee(tx, month)
  const promised = new Set(await promisedOn(tx, today))
  const people = await tx
    .select({ ...payerColumns, name: students.name })
    .from(students)
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  return people.flatMap((student) => {
    const due = dues.get(student.id)
    if (!due || promised.has(student.id) || charged.has(student.id)) return []
    if (!paysToday(student, today)) return []
    const owed = amounts.get(student.id) ?? 0
    const days_late = daysBetween(due.since, today)
    const fee = lateFeeOf(rule, owed, days_late)
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

const CHANGED = 'The list has changed. Nobody was charged. Please check it again.'

/** Charges these students the late fee of a month, as one act; who has credit pays with it at once. Refused (409) where the preview names one
 *  of them no more. */
export async function chargeLateFees(
  tx: Tx,
  caller: Member,
  { month, year, student_ids }: NewLateFees,
) {
  const ids = [...new Set(student_ids)]
  await lockStudents(tx, ids)
  const due = new Map(
    (await lateFeesOf(tx, caller.dojoId, { month, year })).map(({ student_id, fee }) => [
      student_id,
      toCents(fee),
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
  const total = toDollars(sumCents(ids.map((id) => due.get(id)!)))
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
