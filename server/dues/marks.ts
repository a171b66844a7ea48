import { toCents, toDollars } from '@tatami/contract/lib/money'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { PaymentMarks } from '@tatami/contract/ledger/ledger'
import type { PaymentMark, PaymentRecord } from '@tatami/contract/ledger/payment-records'
import type { ResetMonth } from '@tatami/contract/dues/payments'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { isPayingStudent, students } from '../students/tables.ts'
import {
  type Charge,
  chargedOf,
  creditOfOnlineMoney,
  findMonthCharges,
  findOrCreateMonthCharges,
  hasAmount,
  owedOf,
  receivedOf,
  type StudentMonth,
  studentMonthKey,
  unmarkingLines,
} from '../ledger/charges.ts'
import { linesWithinBounds } from '../ledger/bounds.ts'
import {
  type Act,
  actReply,
  effectiveLines,
  lockExistingStudents,
  type LockedStudent,
  lockStudents,
  type NewLine,
  sumOf,
  sumOfKinds,
} from '../ledger/ledger.ts'
import {
  paymentRecord,
  type RecordsByMonth,
  recordsOfMonths,
  type StoredRecord,
} from '../ledger/records.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { findKeptAmounts } from './kept-amounts.ts'
import { type MonthPrice, monthOfStudent, pricesIn, type Price } from './month-prices.ts'
import { requestedMonth } from './payments.ts'
import { refuseDoubleMarks } from './money-on-its-way.ts'
import { newAct } from './new-act.ts'
import { type LedgerCaller, requireMayUndo } from './others-acts.ts'

type Caller = LedgerCaller
type MarkedMonths = { act: Act; lines: NewLine[]; records: PaymentRecord[] }

type MonthMark = {
  month: StudentMonth
  isPaid: boolean
  markedCents: number | undefined
  price: MonthPrice
  charge: Charge | undefined
}

const monthOf = ({
  student_id,
  payment_year: year,
  payment_month: month,
}: PaymentMark): StudentMonth => ({ student_id, year, month })

/** Marks months paid or unpaid in one act. A month that already has the status does not change. */
export async function markMonths(
  tx: Tx,
  caller: Caller,
  { marks, ...payment }: PaymentMarks,
): Promise<MarkedMonths> {
  const act = await newAct(tx, caller, payment)
  const lockedStudents = await lockStudents(
    tx,
    marks.map(({ student_id }) => student_id),
  )
  const months = marks.map(monthOf)
  const records = await recordsOfMonths(tx, months)
  const changes = marks.filter((mark) => {
    const record = records.get(studentMonthKey(monthOf(mark)))
    return record?.payment_status !== mark.payment_status
  })
  const monthMarks = await readMarks(tx, caller, lockedStudents, changes)
  const paidLines = monthMarks.filter(({ isPaid }) => isPaid).flatMap(payingLines)
  const unmarking = await unmarkMonths(tx, caller, lockedStudents, monthMarks, records)
  const newLines = [...paidLines, ...unmarking.lines]
  const { lines, records: newRecords } = await writeMarks(tx, act, newLines, unmarking.records)
  const changedRecords = new Map([...records, ...newRecords])
  return {
    act,
    lines,
    records: months.flatMap((month) => {
      const record = changedRecords.get(studentMonthKey(month))
      return record ? [paymentRecord(record)] : []
    }),
  }
}

async function readMarks(
  tx: Tx,
  { dojoId }: Caller,
  lockedStudents: LockedStudent[],
  marks: PaymentMark[],
): Promise<MonthMark[]> {
  const studentById = new Map(lockedStudents.map((student) => [student.id, student]))
  const charges = await chargesOfMarks(tx, studentById, marks)
  const priceOf = await pricesIn(tx, dojoId, marks.map(monthOf), undefined, lockedStudents)
  return marks.map((mark) => {
    const student = mustExist(studentById.get(mark.student_id), 'The locked student')
    const month = monthOf(mark)
    const amount = mark.monthly_payment_amount ?? undefined
    return {
      month,
      isPaid: mark.payment_status === 'paid',
      markedCents: amount === undefined ? undefined : toCents(amount),
      price: priceOf(student, month),
      charge: charges.get(studentMonthKey(month)),
    }
  })
}

async function chargesOfMarks(
  tx: Tx,
  studentById: ReadonlyMap<string, LockedStudent>,
  marks: PaymentMark[],
): Promise<Map<string, Charge>> {
  const isPaid = (mark: PaymentMark) => mark.payment_status === 'paid'
  const paidMonths = marks.filter(isPaid).map((mark) => {
    const student = mustExist(studentById.get(mark.student_id), 'The locked student')
    return monthOfStudent(student, monthOf(mark))
  })
  const unpaidMonths = marks.filter((mark) => !isPaid(mark)).map(monthOf)
  return new Map([
    ...(await findOrCreateMonthCharges(tx, paidMonths)),
    ...(await findMonthCharges(tx, unpaidMonths)),
  ])
}

/**
 * If the instructor typed the fee or the charged price, they mean the usual amount, which a
 * reduction may have lowered. Any other amount becomes the price of the month. It includes the
 * sales tax, except if it is the fee to which the tax is added.
 */
function settledCents(charge: Charge, { markedCents, price }: MonthMark): number {
  const cost = hasAmount(charge) ? owedOf(charge) + receivedOf(charge) : price.cents
  if (markedCents === undefined) return cost
  if (markedCents === price.listFee) return Math.min(price.listFeeWithTax, cost)
  const usualAmounts = [price.cents, chargedOf(charge)]
  return usualAmounts.includes(markedCents) ? Math.min(markedCents, cost) : markedCents
}

/** Lines that correct the charge to the month's cost and pay it. A surplus becomes credit. */
function payingLines(mark: MonthMark): NewLine[] {
  const charge = mustExist(mark.charge, 'The charge of a month marked paid')
  const { student_id, id: charge_id } = charge
  const total = settledCents(charge, mark)
  const missingCents = total - receivedOf(charge)
  const correction = missingCents - owedOf(charge)
  const isNew = !hasAmount(charge)
  const reason = isNew && mark.price.cents === total ? mark.price.reason : null
  const lines: NewLine[] = []
  if (isNew || correction !== 0)
    lines.push({ student_id, charge_id, kind: 'charge', cents: correction, reason })
  const kind = missingCents < 0 ? 'credit' : 'payment'
  lines.push({ student_id, charge_id, kind, cents: 0 - missingCents })
  return lines
}

/** Undoes the payments of the months. Their records then show what the months cost now. */
async function unmarkMonths(
  tx: Tx,
  caller: Caller,
  lockedStudents: LockedStudent[],
  marks: MonthMark[],
  records: RecordsByMonth,
): Promise<{ lines: NewLine[]; records: StoredRecord[] }> {
  const unpaidMarks = marks.filter(({ isPaid }) => !isPaid)
  if (unpaidMarks.length === 0) return { lines: [], records: [] }
  const keptAmountOf = await findKeptAmounts(tx, caller.dojoId, lockedStudents)
  const lines: NewLine[] = []
  const unpaidRecords: StoredRecord[] = []
  for (const mark of unpaidMarks) {
    const { charge } = mark
    const isRecorded = charge !== undefined && records.has(studentMonthKey(mark.month))
    const reversals = isRecorded ? unmarkingLines(charge, keptAmountOf(charge)) : []
    requireMayUndo(caller, reversedLines(charge, reversals))
    lines.push(...reversals, ...creditOfOnlineMoney(reversals))
    unpaidRecords.push(unpaidRecord(mark, unpaidPrice(charge, reversals, mark.price)))
  }
  return { lines, records: unpaidRecords }
}

const reversedLines = (charge: Charge | undefined, reversals: readonly NewLine[]) => {
  const reversedIds = new Set(reversals.map(({ reverses }) => reverses))
  return (charge?.lines ?? []).filter(({ id }) => reversedIds.has(id))
}

function unpaidPrice(
  charge: Charge | undefined,
  reversals: readonly NewLine[],
  price: Price,
): Price {
  const reversedIds = new Set(reversals.map(({ reverses }) => reverses))
  const keptLines = effectiveLines(charge?.lines ?? []).filter(({ id }) => !reversedIds.has(id))
  const keptCharges = keptLines.filter(({ kind }) => kind === 'charge')
  if (sumOf(keptCharges) <= 0) return price
  const cents = sumOfKinds(keptLines, 'charge', 'write_off')
  return { cents, reason: keptCharges[0]?.cents === cents ? keptCharges[0].reason : null }
}

function unpaidRecord({ month, markedCents, price }: MonthMark, cost: Price): StoredRecord {
  const marked_at = nowIso()
  const isUsual = markedCents === undefined || [price.listFee, price.cents].includes(markedCents)
  const cents = isUsual ? cost.cents : markedCents
  return {
    student_id: month.student_id,
    payment_year: month.year,
    payment_month: month.month,
    payment_status: 'unpaid',
    amount: toDollars(cents),
    price_reason: cents === cost.cents ? cost.reason : null,
    marked_at,
    updated_at: marked_at,
  }
}

/** If the lines take back credit that has already paid a charge, reverses that payment too. */
function writeMarks(tx: Tx, act: Act, lines: NewLine[], unpaidRecords: StoredRecord[]) {
  const revokedCredit = lines.filter(
    ({ kind, cents, reverses }) => kind === 'credit' && cents < 0 && reverses,
  )
  const studentIds = [...new Set(revokedCredit.map(({ student_id }) => student_id))]
  const findFollowingLines = async () =>
    studentIds.length > 0 ? linesWithinBounds(tx, [], studentIds) : []
  return writeLines(tx, act, lines, { findFollowingLines, unpaidRecords })
}

export async function markPayment(tx: Tx, caller: Caller, mark: PaymentMark) {
  await refuseDoubleMarks(tx, [mark])
  const { act, lines, records } = await markMonths(tx, caller, { marks: [mark] })
  const [record] = records
  if (!record) throw new Error('A marked month has no record')
  await auditAction(tx, caller, 'payment marked', {
    subject_id: mark.student_id,
    details: {
      month: record.payment_month,
      year: record.payment_year,
      status: record.payment_status,
      amount: record.monthly_payment_amount,
    },
  })
  return { ...record, act_id: lines.length > 0 ? act.id : null }
}

export async function markPayments(tx: Tx, caller: Caller, marks: PaymentMarks) {
  await refuseDoubleMarks(tx, marks.marks)
  const { act, lines, records } = await markMonths(tx, caller, marks)
  const paidCount = marks.marks.filter(({ payment_status }) => payment_status === 'paid').length
  const reply = actReply(act, lines)
  await auditAction(tx, caller, 'payments marked', {
    details: { paid: paidCount, unpaid: marks.marks.length - paidCount, amount: reply.total },
  })
  return { ...reply, records }
}

export async function resetMonth(
  tx: Tx,
  caller: DojoCaller,
  { payment_month, payment_year }: ResetMonth,
) {
  const { month, year } = await requestedMonth(tx, caller.dojoId, {
    month: payment_month,
    year: payment_year,
  })
  const payingStudents = await tx.select({ id: students.id }).from(students).where(isPayingStudent)
  const lockedStudents = await lockExistingStudents(
    tx,
    payingStudents.map(({ id }) => id),
  )
  const months = lockedStudents.map(({ id }) => ({ student_id: id, month, year }))
  const records = [...(await recordsOfMonths(tx, months)).values()].filter(
    ({ payment_status }) => payment_status === 'paid',
  )
  const keptAmountOf = await findKeptAmounts(tx, caller.dojoId, lockedStudents)
  const charges = await findMonthCharges(
    tx,
    records.map(({ student_id }) => ({ student_id, month, year })),
  )
  const reversals = [...charges.values()].flatMap((charge) =>
    unmarkingLines(charge, keptAmountOf(charge)),
  )
  const act = await newAct(tx, caller)
  const unpaidRecords = records.map((record) => ({
    ...record,
    payment_status: 'unpaid' as const,
    updated_at: nowIso(),
  }))
  const newLines = [...reversals, ...creditOfOnlineMoney(reversals)]
  const { lines } = await writeMarks(tx, act, newLines, unpaidRecords)
  const counts = { students_reset: records.length, total_paying_students: lockedStudents.length }
  const total = 0 - actReply(act, lines).total
  await auditAction(tx, caller, 'month reset', {
    details: { month, year, ...counts, amount: total },
  })
  return {
    ...counts,
    message: `Reset ${records.length} of ${lockedStudents.length} paying students to unpaid.`,
    act_id: lines.length > 0 ? act.id : null,
    total,
  }
}
