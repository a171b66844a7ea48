import { sumDollars, toCents, toDollars } from '@tatami/contract/lib/money'
import { daysBetween, firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { lateFeeOf, type LateFeeRule, NO_LATE_FEES } from '@tatami/contract/dues/late-fee-rule'
import type { LateFee, NewLateFees } from '@tatami/contract/dues/owing'
import { findSalesTax, withAddedTax } from '@tatami/contract/ledger/sales-tax'
import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { equalsAny, inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { dojos } from '../dojos/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { creditsOf } from '../ledger/credit.ts'
import { lockStudents, type NewLine, billingColumns } from '../ledger/ledger.ts'
import { readTaxSettings } from '../ledger/sales-taxes.ts'
import { charges, lateFeeRules, ledgerLines, paymentPromises } from '../ledger/tables.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { withBasePlans } from '../plans/plans.ts'
import { students } from '../students/tables.ts'
import { amountsLeftToPay } from './amounts.ts'
import { findStudentsBeforeAutopay } from './autopay-days.ts'
import { readBankCentsFor } from './money-on-its-way.ts'
import { monthDues } from './month-dues.ts'
import { paysToday } from './who-pays.ts'
import { newAct } from './new-act.ts'

export async function lateFeeRuleOf(tx: Tx): Promise<LateFeeRule> {
  const ruleColumns = pick(lateFeeRules, 'grace_days', 'percent', 'amount')
  const [rule] = await tx.select(ruleColumns).from(lateFeeRules)
  return rule ?? NO_LATE_FEES
}

type NewRule = {
  grace_days: number
  percent?: number | null | undefined
  amount?: number | null | undefined
}

export async function setLateFeeRule(
  tx: Tx,
  caller: DojoCaller,
  { grace_days, percent = null, amount = null }: NewRule,
): Promise<LateFeeRule> {
  // If two people save a rule at the same time, the later one wins.
  await tx
    .select({ id: dojos.id })
    .from(dojos)
    .where(eq(dojos.id, caller.dojoId))
    .for('no key update')
  await tx.delete(lateFeeRules)
  const hasLateFees = percent !== null || amount !== null
  if (hasLateFees) await tx.insert(lateFeeRules).values({ grace_days, percent, amount })
  await auditAction(tx, caller, 'late fee rule set', {
    details: { is_on: hasLateFees, grace_days },
  })
  return lateFeeRuleOf(tx)
}

/** Students who have a late fee for the month, even if it was forgiven, but not if undone. */
async function studentsWithLateFee(tx: Tx, { month, year }: Month): Promise<Set<string>> {
  const { rows } = await tx.execute<{ student_id: string }>(sql`
    select c.student_id from ${charges} c join ${ledgerLines} l on l.charge_id = c.id
    where c.kind = 'late_fee' and c.year = ${year} and c.month = ${month} and l.kind = 'charge'
    group by c.student_id having sum(l.amount) > 0`)
  return new Set(rows.map(({ student_id }) => student_id))
}

/** For students who owe the month and have neither a late fee for it, nor an open promise, nor
 *  autopay on a later day of the month. */
export async function lateFeesOf(tx: Tx, dojoId: string, month: Month): Promise<LateFee[]> {
  const rule = await lateFeeRuleOf(tx)
  const today = await todayOf(tx, dojoId)
  // If even a very large debt would bring no fee, skip the queries.
  if (lateFeeOf(rule, 1_000_000, daysBetween(firstDayOf(month), today)) === 0) return []
  const dues = await monthDues(tx, dojoId, month)
  const amounts = await amountsLeftToPay(tx, dojoId, month, dues)
  const exemptIds = new Set([
    ...(await studentsWithLateFee(tx, month)),
    ...(await studentsWithPromise(tx, today)),
    ...(await findStudentsBeforeAutopay(tx, month, today)),
  ])
  const studentRows = await withBasePlans(
    tx,
    await tx
      .select({ ...billingColumns, name: students.name })
      .from(students)
      .orderBy(asc(sql`lower(${students.name})`), asc(students.id)),
  )
  const bankCents = await readBankCentsFor(tx, [...dues.keys()], month)
  const tax = findSalesTax((await readTaxSettings(tx)).taxes, 'late_fee', today)
  return studentRows.flatMap((student) => {
    const due = dues.get(student.id)
    if (!due || exemptIds.has(student.id) || !paysToday(student, today)) return []
    const { id: student_id, name } = student
    // What a bank is bringing was paid in time.
    const amount = toDollars(
      Math.max(0, toCents(amounts.get(student_id) ?? 0) - (bankCents.get(student_id) ?? 0)),
    )
    const days_late = daysBetween(due.since, today)
    const fee = toDollars(withAddedTax(toCents(lateFeeOf(rule, amount, days_late)), tax))
    return fee > 0 ? [{ student_id, name, owed: amount, days_late, fee }] : []
  })
}

async function studentsWithPromise(tx: Tx, day: string): Promise<string[]> {
  const rows = await tx
    .select({ student_id: paymentPromises.student_id })
    .from(paymentPromises)
    .where(and(isNull(paymentPromises.ended_at), gte(paymentPromises.promised_on, day)))
  return rows.map(({ student_id }) => student_id)
}

const LIST_CHANGED = 'The list has changed. Nobody was charged. Please check it again.'

/** Credit pays the fees immediately. 409 if a student is no longer in the preview. */
export async function chargeLateFees(
  tx: Tx,
  caller: DojoCaller,
  { month, year, student_ids }: NewLateFees,
) {
  const ids = [...new Set(student_ids)]
  await lockStudents(tx, ids)
  const lateFees = (await lateFeesOf(tx, caller.dojoId, { month, year })).filter(({ student_id }) =>
    ids.includes(student_id),
  )
  if (lateFees.length < ids.length) throw new Refusal(409, LIST_CHANGED)
  const act = await newAct(tx, caller)
  const chargeIds = await findOrCreateLateFeeCharges(tx, ids, { month, year }, act.made_on)
  const credits = await creditsOf(tx, ids)
  const lines = lateFees.flatMap(({ student_id, fee }): NewLine[] => {
    const line = { student_id, charge_id: chargeIds.get(student_id) ?? null }
    const coveredCents = Math.min(toCents(fee), credits.get(student_id) ?? 0)
    return [
      { ...line, kind: 'charge', cents: toCents(fee) },
      ...(coveredCents > 0 ? [{ ...line, kind: 'credit' as const, cents: 0 - coveredCents }] : []),
    ]
  })
  await writeLines(tx, act, lines)
  const total = sumDollars(lateFees.map(({ fee }) => fee))
  await auditAction(tx, caller, 'late fees charged', {
    details: { month, year, students: ids.length, amount: total },
  })
  return { act_id: act.id, students: ids.length, total }
}

/** Returns charge ids by student. A student whose late fee was undone still has that charge. */
async function findOrCreateLateFeeCharges(
  tx: Tx,
  ids: string[],
  { month, year }: Month,
  charged_on: string,
): Promise<Map<string, string>> {
  const newCharges = ids.map((student_id) => ({
    student_id,
    kind: 'late_fee' as const,
    month,
    year,
    charged_on,
  }))
  await inChunks(newCharges, (chunk) => tx.insert(charges).values(chunk).onConflictDoNothing())
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
