import type { Month } from '@tatami/contract/lib/calendar-day'
import { formatMoneyInText, toCents, toDollars } from '@tatami/contract/lib/money'
import type { PaymentMark } from '@tatami/contract/ledger/payment-records'
import type { NewPayment } from '@tatami/contract/ledger/ledger'
import type { OnlinePaymentState } from '@tatami/contract/online-payment/online-payment'
import { and, eq, gt, inArray, or } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { pick, pluck } from '../lib/rows.ts'
import { onlinePaymentLines, onlinePayments } from '../online-payment/tables.ts'
import { students } from '../students/tables.ts'
import { debtsOf, NO_DEBT, owedCents } from './balances.ts'

/** Money for a charge that somebody is paying online at this moment. `pays_for` is "2026-3" for
 *  April 2026, or the id of another charge. */
export type OnlineLine = {
  payment_id: string
  student_id: string | null
  charge_id: string | null
  pays_for: string
  amount: number
  state: OnlinePaymentState
}

const isOnItsWay = inArray(onlinePayments.state, ['processing', 'unknown'])

/** What banks are bringing, and what payers may be paying on a page of Stripe. */
export async function readOnlineLines(tx: Tx, studentIds: string[]): Promise<OnlineLine[]> {
  const isOpen = and(eq(onlinePayments.state, 'open'), gt(onlinePayments.expires_at, nowIso()))
  return tx
    .select({
      ...pick(onlinePaymentLines, 'payment_id', 'student_id', 'charge_id', 'pays_for', 'amount'),
      state: onlinePayments.state,
    })
    .from(onlinePaymentLines)
    .innerJoin(onlinePayments, eq(onlinePayments.id, onlinePaymentLines.payment_id))
    .where(
      and(
        equalsAny(onlinePaymentLines.student_id, studentIds),
        eq(onlinePaymentLines.is_live, true),
        or(isOnItsWay, isOpen),
      ),
    )
}

/** Student id → the cents that banks are bringing for a month. */
export async function readBankCentsFor(
  tx: Tx,
  studentIds: string[],
  month: Month,
): Promise<Map<string, number>> {
  const lines = (await readOnlineLines(tx, studentIds)).filter(
    (line) => isFromBank(line) && line.pays_for === monthKey(month),
  )
  const centsByStudent = new Map<string, number>()
  for (const { student_id, amount } of lines)
    if (student_id !== null)
      centsByStudent.set(student_id, (centsByStudent.get(student_id) ?? 0) + toCents(amount))
  return centsByStudent
}

/** 409 if money for the student is on its way, because nobody could be given it back. */
export async function refuseWhileOnItsWay(tx: Tx, studentId: string): Promise<void> {
  const cents = sumOnlineCents(await readOnlineLines(tx, [studentId]))
  if (cents === 0) return
  throw new Refusal(
    409,
    `${formatMoneyInText(toDollars(cents))} is being paid online for this student. ` +
      'You can delete them once the money has arrived.',
  )
}

export const isFromBank = ({ state }: OnlineLine): boolean => state !== 'open'

export const sumOnlineCents = (lines: readonly OnlineLine[]): number =>
  lines.reduce((sum, { amount }) => sum + toCents(amount), 0)

const monthKey = ({ year, month }: { year: number; month: number }): string => `${year}-${month}`

/** 409 if a month is to be marked paid while its money is on its way. */
export async function refuseDoubleMarks(tx: Tx, marks: readonly PaymentMark[]): Promise<void> {
  const paidMarks = marks.filter(
    ({ payment_status, even_if_on_its_way }) => payment_status === 'paid' && !even_if_on_its_way,
  )
  const onlineLines = await readOnlineLines(tx, pluck(paidMarks, 'student_id'))
  await refuseLines(
    tx,
    onlineLines.filter((line) =>
      paidMarks.some(
        ({ student_id, payment_year: year, payment_month: month }) =>
          student_id === line.student_id && monthKey({ year, month }) === line.pays_for,
      ),
    ),
  )
}

type PaymentOfStudent = Pick<NewPayment, 'student_id' | 'amount' | 'toward' | 'charge_id'>

/** 409 if a payment is for a charge whose money is on its way, or more than what is owed besides. */
export async function refuseDoublePayments(
  tx: Tx,
  dojoId: string,
  payments: readonly PaymentOfStudent[],
): Promise<void> {
  const ids = pluck(payments, 'student_id')
  const onlineLines = await readOnlineLines(tx, ids)
  if (onlineLines.length === 0) return
  const debts = await debtsOf(tx, dojoId, ids)
  const doubleLines = payments.flatMap((payment) => {
    const lines = onlineLines.filter(({ student_id }) => student_id === payment.student_id)
    const namedLines = lines.filter((line) => isNamed(payment, line))
    const otherCents = owedCents(debts.get(payment.student_id) ?? NO_DEBT) - sumOnlineCents(lines)
    return toCents(payment.amount) > otherCents ? lines : namedLines
  })
  await refuseLines(tx, doubleLines)
}

const isNamed = (
  { toward, charge_id }: PaymentOfStudent,
  { pays_for, charge_id: paidChargeId }: OnlineLine,
): boolean => {
  const isNamedMonth = toward ? monthKey(toward) === pays_for : false
  return isNamedMonth || (charge_id != null && [pays_for, paidChargeId].includes(charge_id))
}

async function refuseLines(tx: Tx, lines: readonly OnlineLine[]): Promise<void> {
  if (lines.length === 0) return
  const ids = lines.flatMap(({ student_id }) => student_id ?? [])
  const rows = await tx
    .select({ name: students.name })
    .from(students)
    .where(equalsAny(students.id, ids))
    .orderBy(...byName(students))
  const names = new Intl.ListFormat('en').format(pluck(rows, 'name'))
  const amount = formatMoneyInText(toDollars(sumOnlineCents(lines)))
  const message = lines.some(isFromBank)
    ? `${amount} is on its way from the bank for ${names}, so this would be paid twice.`
    : `${amount} is being paid online for ${names} right now, so this could be paid twice.`
  throw new Refusal(409, message, { errors: [{ field: 'even_if_on_its_way', message }] })
}

/** Whether a charge is being paid online. */
export const isPaidOnline = (
  lines: readonly OnlineLine[],
  charge: { id: string | null; kind: string; year: number | null; month: number | null },
): boolean =>
  lines.some(({ pays_for }) =>
    charge.kind === 'month'
      ? pays_for === `${charge.year}-${charge.month}`
      : pays_for === charge.id,
  )
