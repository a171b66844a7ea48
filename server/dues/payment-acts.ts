import { toCents, toDollars } from '@tatami/contract/lib/money'
import { type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type {
  ChargeKind,
  LedgerAct,
  NewCharge,
  NewPayment,
  NewPayments,
  NewRefund,
} from '@tatami/contract/ledger/ledger'
import { findSalesTax, withAddedTax } from '@tatami/contract/ledger/sales-tax'
import { and, eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import {
  type Charge,
  chargesById,
  chargesOfStudent,
  findOrCreateMonthCharges,
  hasAmount,
  owedOf,
  refundableOf,
} from '../ledger/charges.ts'
import { creditLines, creditsOf, spreadCents } from '../ledger/credit.ts'
import {
  type Act,
  actReply,
  type Line,
  lockStudent,
  lockStudents,
  type LockedStudent,
  type NewLine,
  sumOf,
} from '../ledger/ledger.ts'
import { oldestFirst } from '../ledger/oldest-first.ts'
import { readTaxSettings } from '../ledger/sales-taxes.ts'
import { charges } from '../ledger/tables.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { monthOfStudent, pricesIn } from './month-prices.ts'
import { paysToday } from './who-pays.ts'
import { isPaidOnline, readOnlineLines, refuseDoublePayments } from './money-on-its-way.ts'
import { newAct } from './new-act.ts'
import { endReviewsOfRefundedCredit } from './paid-twice.ts'

type Caller = Pick<DojoCaller, 'id' | 'dojoId'>
type Note = { note?: string | null | undefined }

async function saveLines(tx: Tx, act: Act, lines: NewLine[]): Promise<LedgerAct> {
  await writeLines(tx, act, lines)
  return actReply(act, lines)
}

/** A month as if it were charged, and the line to write if the payment pays toward it. */
type PreparedCharge = { charge: Charge; line: NewLine | null }

export async function prepareMonth(
  tx: Tx,
  dojoId: string,
  student: LockedStudent,
  month: Month,
): Promise<PreparedCharge | undefined> {
  const monthCharges = await findOrCreateMonthCharges(tx, [monthOfStudent(student, month)])
  const [charge] = monthCharges.values()
  if (!charge || hasAmount(charge)) return charge && { charge, line: null }
  const priceOf = await pricesIn(tx, dojoId, [month], undefined, [student])
  const { cents, reason } = priceOf(student, month)
  if (cents === 0) return undefined
  const { id: charge_id, student_id } = charge
  const line: NewLine = { student_id, charge_id, kind: 'charge', cents, reason }
  return { charge: withLine(charge, line), line }
}

const withLine = (charge: Charge, { kind, cents, reason = null }: NewLine): Charge => ({
  ...charge,
  lines: [
    ...charge.lines,
    { id: newId(), charge_id: charge.id, kind, cents, reason, reverses: null } as Line,
  ],
})

async function prepareCurrentMonth(tx: Tx, dojoId: string, student: LockedStudent) {
  const today = await todayOf(tx, dojoId)
  return paysToday(student, today)
    ? prepareMonth(tx, dojoId, student, monthOfDate(today))
    : undefined
}

type PaymentOrder = Pick<NewPayment, 'amount' | 'toward' | 'charge_id'>

/** Pays the named charge or month, then the oldest debts, and last what somebody is paying online.
 *  The rest becomes credit. */
async function paymentLines(
  tx: Tx,
  { dojoId }: Caller,
  student: LockedStudent,
  { amount, toward, charge_id: firstChargeId }: PaymentOrder,
): Promise<NewLine[]> {
  const namedMonth = toward ? await prepareMonth(tx, dojoId, student, toward) : undefined
  const currentMonth = await prepareCurrentMonth(tx, dojoId, student)
  const preparedCharges = [namedMonth, currentMonth].filter((month) => month !== undefined)
  const storedCharges = await chargesOfStudent(tx, student.id)
  const chargeById = new Map(
    [...storedCharges, ...preparedCharges.map(({ charge }) => charge)].map((charge) => [
      charge.id,
      charge,
    ]),
  )
  const onlineLines = await readOnlineLines(tx, [student.id])
  const rank = (charge: Charge) => {
    if (charge.id === firstChargeId) return 0
    if (charge.id === namedMonth?.charge.id) return 1
    return isPaidOnline(onlineLines, charge) ? 3 : 2
  }
  const orderedCharges = [...chargeById.values()].toSorted(
    (a, b) => rank(a) - rank(b) || oldestFirst(a, b),
  )
  const { parts, remainingCents } = spreadCents(toCents(amount), orderedCharges)
  const paidIds = new Set(parts.map(({ charge }) => charge.id))
  const newLines = preparedCharges.flatMap(({ charge, line }) =>
    line && paidIds.has(charge.id) ? [[charge.id, line] as const] : [],
  )
  const payment = (charge_id: string | null, cents: number): NewLine => ({
    student_id: student.id,
    charge_id,
    kind: 'payment',
    cents: 0 - cents,
  })
  return [
    // The named month may be the current one, so the map removes a duplicate.
    ...new Map(newLines).values(),
    ...parts.map(({ charge, cents }) => payment(charge.id, cents)),
    ...(remainingCents > 0 ? [payment(null, remainingCents)] : []),
  ]
}

export async function pay(
  tx: Tx,
  caller: Caller,
  { student_id, amount, toward, charge_id, even_if_on_its_way, ...details }: NewPayment,
): Promise<LedgerAct> {
  const student = await lockStudent(tx, student_id)
  if (charge_id) await lockCharge(tx, charge_id, student_id)
  if (!even_if_on_its_way)
    await refuseDoublePayments(tx, caller.dojoId, [{ student_id, amount, toward, charge_id }])
  const act = await newAct(tx, caller, details)
  const lines = await paymentLines(tx, caller, student, { amount, toward, charge_id })
  const reply = await saveLines(tx, act, lines)
  await auditAction(tx, caller, 'payment taken', {
    subject_id: student_id,
    details: { amount, ...(act.method && { method: act.method }) },
  })
  return reply
}

export async function payTogether(
  tx: Tx,
  caller: Caller,
  { payments, even_if_on_its_way, ...details }: NewPayments,
): Promise<LedgerAct> {
  const amountById = new Map(payments.map(({ student_id, amount }) => [student_id, amount]))
  const students = await lockStudents(tx, [...amountById.keys()])
  if (!even_if_on_its_way) await refuseDoublePayments(tx, caller.dojoId, payments)
  const act = await newAct(tx, caller, details)
  const lines: NewLine[] = []
  for (const student of students) {
    const amount = amountById.get(student.id) ?? 0
    lines.push(...(await paymentLines(tx, caller, student, { amount })))
  }
  const reply = await saveLines(tx, act, lines)
  await auditAction(tx, caller, 'payment taken', {
    ...auditSubject(students.map(({ id }) => id)),
    details: {
      students: students.length,
      amount: reply.total,
      ...(act.method && { method: act.method }),
    },
  })
  return reply
}

const auditSubject = ([subject_id, ...otherIds]: string[]) =>
  subject_id !== undefined && otherIds.length === 0 ? { subject_id } : {}

/** Class packs and drop-ins are charged like this, too. */
type StudentsCharge = Omit<NewCharge, 'kind'> & { kind: ChargeKind }

export async function chargeStudents(
  tx: Tx,
  caller: Caller,
  { student_ids, kind, amount, note = null, charged_on }: StudentsCharge,
): Promise<LedgerAct> {
  const ids = [...new Set(student_ids)]
  await lockStudents(tx, ids)
  const act: Act = { ...(await newAct(tx, caller)), note }
  const dueOn = charged_on ?? act.made_on
  const { taxes } = await readTaxSettings(tx)
  const cents = withAddedTax(toCents(amount), findSalesTax(taxes, kind, dueOn))
  const credits = await creditsOf(tx, ids)
  const newCharges = ids.map((student_id) => ({
    id: newId(),
    student_id,
    kind,
    year: null,
    month: null,
    note,
    charged_on: dueOn,
  }))
  await inChunks(newCharges, (chunk) => tx.insert(charges).values(chunk))
  const lines = newCharges.flatMap((charge): NewLine[] => {
    const { id: charge_id, student_id } = charge
    const line: NewLine = { student_id, charge_id, kind: 'charge', cents }
    const credit = credits.get(student_id) ?? 0
    return [line, ...creditLines(credit, [withLine({ ...charge, lines: [] }, line)])]
  })
  await writeLines(tx, act, lines)
  await auditAction(tx, caller, 'students charged', {
    ...auditSubject(ids),
    details: { students: ids.length, kind, amount: toDollars(cents) },
  })
  return actReply(act, lines)
}

/** Locks the student of a charge and reads the charge. 404 if it is another student's. */
async function lockCharge(tx: Tx, id: string, studentId?: string): Promise<Charge> {
  const [row] = await tx
    .select({ student_id: charges.student_id })
    .from(charges)
    .where(and(eq(charges.id, id), studentId ? eq(charges.student_id, studentId) : undefined))
  // The charge of a deleted student has no student, and cannot be changed.
  if (!row?.student_id) throw notFound('Charge')
  await lockStudent(tx, row.student_id)
  const [charge] = await chargesById(tx, [id])
  if (!charge) throw notFound('Charge')
  return charge
}

const writeOffLine = (charge: Charge): NewLine => ({
  student_id: charge.student_id,
  charge_id: charge.id,
  kind: 'write_off',
  cents: 0 - owedOf(charge),
})

/** Forgives what is still owed for a charge. 409 if nothing is owed. */
export async function writeOff(
  tx: Tx,
  caller: Caller,
  id: string,
  { note }: Note,
): Promise<LedgerAct> {
  const charge = await lockCharge(tx, id)
  const owedCents = owedOf(charge)
  if (owedCents <= 0) throw new Refusal(409, 'Nothing is owed on this charge')
  const act = await newAct(tx, caller, { note })
  const reply = await saveLines(tx, act, [writeOffLine(charge)])
  await auditAction(tx, caller, 'charge written off', {
    subject_id: charge.student_id,
    details: { amount: toDollars(owedCents) },
  })
  return reply
}

export async function writeOffAll(
  tx: Tx,
  caller: Caller,
  ids: string[],
  { note }: Note,
): Promise<void> {
  const unlockedCharges = await chargesById(tx, ids)
  await lockStudents(
    tx,
    unlockedCharges.map(({ student_id }) => student_id),
  )
  const owedCharges = (await chargesById(tx, ids)).filter((charge) => owedOf(charge) > 0)
  if (owedCharges.length === 0) return
  const act = await newAct(tx, caller, { note })
  const lines = owedCharges.map(writeOffLine)
  await saveLines(tx, act, lines)
  await auditAction(tx, caller, 'charge written off', {
    ...auditSubject(owedCharges.map(({ student_id }) => student_id)),
    details: { amount: toDollars(0 - sumOf(lines)), students: owedCharges.length },
  })
}

/** Refunds what was paid for a charge, which is then owed again, or a student's credit. */
export async function refund(
  tx: Tx,
  caller: Caller,
  { student_id, charge_id, amount, ...details }: NewRefund,
): Promise<LedgerAct> {
  await lockStudent(tx, student_id)
  const charge = charge_id ? await lockCharge(tx, charge_id, student_id) : undefined
  const refundableCents = charge
    ? refundableOf(charge)
    : ((await creditsOf(tx, [student_id])).get(student_id) ?? 0)
  if (toCents(amount) > refundableCents)
    throw invalid(
      'amount',
      charge
        ? 'You can refund at most what was paid for this'
        : 'You can refund at most the credit',
    )
  const act = await newAct(tx, caller, details)
  const reply = await saveLines(tx, act, [
    { student_id, charge_id: charge_id ?? null, kind: 'refund', cents: toCents(amount) },
  ])
  if (!charge)
    await endReviewsOfRefundedCredit(tx, { studentId: student_id, cents: toCents(amount) })
  await auditAction(tx, caller, 'money given back', { subject_id: student_id, details: { amount } })
  return reply
}
