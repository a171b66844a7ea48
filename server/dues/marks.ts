import { toCents, toDollars } from '@tatami/contract/lib/money'
import type { PaymentMarks } from '@tatami/contract/ledger/ledger'
import type { PaymentMark, PaymentRecord } from '@tatami/contract/ledger/payment-records'
import type { ResetMonth } from '@tatami/contract/dues/payments'
import { auditAct } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { isPayingStudent, students } from '../students/tables.ts'
import {
  type Charge,
  chargedOf,
  chargesOfMonths,
  isMade,
  keyOfMonth,
  owedOf,
  receivedOf,
  type StudentMonth,
  unmarkingLines,
} from '../ledger/charges.ts'
import { ensureMonths, feeCents, pricesIn, type Price } from './month-prices.ts'
import { linesWithinBounds } from '../ledger/bounds.ts'
import { keptAmounts } from './kept-amounts.ts'
import {
  type Act,
  actReply,
  lockStudents,
  lockThere,
  newAct,
  type NewLine,
  standing,
  sumOf,
  sumOfKinds,
} from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { requestedMonth } from './payments.ts'
import { recordsOfMonths, saveRecords, type StoredRecord } from '../ledger/records.ts'

type Caller = Pick<Member, 'id' | 'dojoId'>
type Marked = { act: Act; lines: NewLine[]; records: PaymentRecord[] }

const monthOf = ({
  student_id,
  payment_year: year,
  payment_month: month,
}: PaymentMark): StudentMonth => ({ student_id, year, month })
const shown = ({ amount: monthly_payment_amount, ...record }: StoredRecord): PaymentRecord => ({
  ...record,
  monthly_payment_amount,
})

/** What a mark may say the month costs in all, in cents. */
const markedCents = ({ monthly_payment_amount: amount }: PaymentMark): number | undefined =>
  amount === undefined || amount === null ? undefined : toCents(amount)

/**
 * What a month costs in all when it is marked paid. The student's fee and the price as it was charged mean
 * "the usual amount": they settle the month and never take more than it costs, whatever a sibling's
 * price, a write-off or a change of the fee has made of it. Any other amount is what the month costs now.
 */
function settledCents(
  charge: Charge,
  price: Price,
  fee: number,
  marked: number | undefined,
): number {
  const cost = isMade(charge) ? owedOf(charge) + receivedOf(charge) : price.cents
  if (marked === undefined) return cost
  const usual = [fee, price.cents, chargedOf(charge)]
  return usual.includes(marked) ? Math.min(marked, cost) : marked
}

/**
 * Mark Paid: the charge is corrected to what the month costs in all, and a payment makes up what has not
 * come yet. What has come beyond it is credit.
 */
function payingLines(charge: Charge, price: Price, total: number): NewLine[] {
  const { student_id, id: charge_id } = charge
  const missing = total - receivedOf(charge)
  const correction = missing - owedOf(charge)
  const reason = isMade(charge) || price.cents !== total ? null : price.reason
  const lines: NewLine[] = []
  if (!isMade(charge) || correction !== 0)
    lines.push({ student_id, charge_id, kind: 'charge', cents: correction, reason })
  const kind = missing < 0 ? 'credit' : 'payment'
  lines.push({ student_id, charge_id, kind, cents: 0 - missing })
  return lines
}

/**
 * What a month costs after Mark Unpaid, as its due says it: what stays charged of it, else the price of now.
 * `reversals` are the lines that take back what was paid.
 */
function unpaidPrice(
  charge: Charge | undefined,
  reversals: readonly NewLine[],
  price: Price,
): Price {
  const reversedIds = new Set(reversals.map(({ reverses }) => reverses))
  const remaining = standing(charge?.lines ?? []).filter(({ id }) => !reversedIds.has(id))
  const charged = remaining.filter(({ kind }) => kind === 'charge')
  if (sumOf(charged) <= 0) return price
  const cents = sumOfKinds(remaining, 'charge', 'write_off')
  return { cents, reason: charged[0]?.cents === cents ? charged[0].reason : null }
}

/** The record of an unpaid month says what the month costs. An amount in the request counts if it is another than the usual ones. */
function unpaidRecord(mark: PaymentMark, cost: Price, usual: readonly number[]): StoredRecord {
  const { student_id, payment_year, payment_month, payment_status } = mark
  const now = nowIso()
  const marked = markedCents(mark)
  const cents = marked === undefined || usual.includes(marked) ? cost.cents : marked
  return {
    student_id,
    payment_year,
    payment_month,
    payment_status,
    amount: toDollars(cents),
    price_reason: cents === cost.cents ? cost.reason : null,
    marked_at: now,
    updated_at: now,
  }
}

/** Marks months of several students by one act, in a number of statements that does not grow with theirs. Marking with the same status again changes nothing. */
export async function markMonths(
  tx: Tx,
  caller: Caller,
  { marks, ...received }: PaymentMarks,
): Promise<Marked> {
  const ids = [...new Set(marks.map(({ student_id }) => student_id))]
  const locked = await lockStudents(tx, ids)
  const byId = new Map(locked.map((student) => [student.id, student]))
  const months = marks.map(monthOf)
  const act = await newAct(tx, caller, received)
  const before = await recordsOfMonths(tx, months)
  const changing = marks.filter(
    (mark) => before.get(keyOfMonth(monthOf(mark)))?.payment_status !== mark.payment_status,
  )
  const paying = changing.filter(({ payment_status }) => payment_status === 'paid').map(monthOf)
  const charges = await ensureMonths(tx, paying, await chargesOfMonths(tx, changing.map(monthOf)))
  const priceOf = await pricesIn(tx, caller.dojoId, changing.map(monthOf))
  const isUnmarking = changing.some(({ payment_status }) => payment_status === 'unpaid')
  const keptAmountOf = isUnmarking ? await keptAmounts(tx, caller.dojoId, locked) : () => undefined
  const lines: NewLine[] = [],
    unpaid: StoredRecord[] = []
  for (const mark of changing) {
    const month = monthOf(mark),
      charge = charges.get(keyOfMonth(month)),
      price = priceOf(byId.get(mark.student_id)!, month),
      fee = feeCents(byId.get(mark.student_id)!)
    if (mark.payment_status === 'paid') {
      const total = settledCents(charge!, price, fee, markedCents(mark))
      lines.push(...payingLines(charge!, price, total))
    } else {
      const wasPaid = charge && before.has(keyOfMonth(month))
      const reversals = wasPaid ? unmarkingLines(charge, keptAmountOf(charge)) : []
      lines.push(...reversals)
      const usual = [fee, price.cents]
      unpaid.push(unpaidRecord(mark, unpaidPrice(charge, reversals, price), usual))
    }
  }
  const allLines = await writeUnmarking(tx, act, lines)
  await saveRecords(tx, unpaid)
  const after = await recordsOfMonths(tx, months)
  return {
    act,
    lines: allLines,
    records: months.map((month) => shown(after.get(keyOfMonth(month))!)),
  }
}

/** Marks a month of a student, and records in the audit log who did. */
export async function markPayment(tx: Tx, caller: Caller, mark: PaymentMark) {
  const { act, lines, records } = await markMonths(tx, caller, { marks: [mark] })
  const record = records[0]!
  const {
    payment_month: month,
    payment_year: year,
    payment_status: status,
    monthly_payment_amount: amount,
  } = record
  await auditAct(tx, caller, 'payment marked', {
    subject_id: mark.student_id,
    details: { month, year, status, amount },
  })
  return { ...record, act_id: lines.length > 0 ? act.id : null }
}

/** Writes the lines, and those that follow where credit is taken back that an overpaid charge had given. Returns all of them. */
function writeUnmarking(tx: Tx, act: Act, lines: NewLine[]): Promise<NewLine[]> {
  const creditTakenBack = lines.filter(
    ({ kind, cents, reverses }) => kind === 'credit' && cents < 0 && reverses,
  )
  const studentIds = [...new Set(creditTakenBack.map(({ student_id }) => student_id))]
  return writeLines(tx, act, lines, async () =>
    studentIds.length > 0 ? linesWithinBounds(tx, [], studentIds) : [],
  )
}

/** Marks several, and records it in the audit log as one act. */
export async function markPayments(tx: Tx, caller: Caller, marks: PaymentMarks) {
  const { act, lines, records } = await markMonths(tx, caller, marks)
  const paid = marks.marks.filter(({ payment_status }) => payment_status === 'paid').length
  const reply = actReply(act, lines)
  await auditAct(tx, caller, 'payments marked', {
    details: { paid, unpaid: marks.marks.length - paid, amount: reply.total },
  })
  return { ...reply, records }
}

/** Sets every paying student of the month to unpaid in one transaction, and records it in the audit log. */
export async function resetMonth(
  tx: Tx,
  caller: Member,
  { payment_month, payment_year }: ResetMonth,
) {
  const { month, year } = await requestedMonth(tx, caller.dojoId, {
    month: payment_month,
    year: payment_year,
  })
  const paying = await tx.select({ id: students.id }).from(students).where(isPayingStudent)
  const locked = await lockThere(
    tx,
    paying.map(({ id }) => id),
  )
  const ids = locked.map(({ id }) => id)
  const months = ids.map((student_id) => ({ student_id, month, year }))
  const records = [...(await recordsOfMonths(tx, months)).values()].filter(
    ({ payment_status }) => payment_status === 'paid',
  )
  const keptAmountOf = await keptAmounts(tx, caller.dojoId, locked)
  const charges = await chargesOfMonths(
    tx,
    records.map(({ student_id }) => ({ student_id, month, year })),
  )
  const lines = [...charges.values()].flatMap((charge) =>
    unmarkingLines(charge, keptAmountOf(charge)),
  )
  const act = await newAct(tx, caller)
  const allLines = await writeUnmarking(tx, act, lines)
  await saveRecords(
    tx,
    records.map((record) => ({ ...record, payment_status: 'unpaid', updated_at: nowIso() })),
  )
  const counts = { students_reset: records.length, total_paying_students: locked.length }
  const { total } = actReply(act, allLines)
  await auditAct(tx, caller, 'month reset', {
    details: { month, year, ...counts, amount: 0 - total },
  })
  return {
    ...counts,
    message: `Reset ${records.length} of ${locked.length} paying students to unpaid.`,
    act_id: allLines.length > 0 ? act.id : null,
    total: 0 - total,
  }
}
