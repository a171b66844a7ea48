import { toCents, toDollars } from '@tatami/contract/lib/money'
import { type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type {
  LedgerAct,
  NewCharge,
  NewPayment,
  NewPayments,
  NewRefund,
} from '@tatami/contract/ledger/ledger'
import { and, eq } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { oldestFirst } from '../ledger/oldest-first.ts'
import { paysToday } from './who-pays.ts'
import {
  type Charge,
  chargesById,
  chargesOfStudent,
  isMade,
  keyOfMonth,
  owedOf,
  receivedOf,
} from '../ledger/charges.ts'
import { ensureMonths, pricesIn } from './month-prices.ts'
import { creditLines, creditsOf, spread } from '../ledger/credit.ts'
import {
  type Act,
  actReply,
  type Line,
  lockStudents,
  type LockedStudent,
  newAct,
  type NewLine,
  sumOf,
  sumOfKinds,
} from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { charges } from '../ledger/tables.ts'

type Caller = Pick<Member, 'id' | 'dojoId'>

async function lockOne(tx: Tx, id: string): Promise<LockedStudent> {
  const [student] = await lockStudents(tx, [id])
  return student!
}

async function save(tx: Tx, act: Act, lines: NewLine[]): Promise<LedgerAct> {
  await writeLines(tx, act, lines)
  return actReply(act, lines)
}

/**
 * The charge of a student's month with its price, which the month in progress has only once it is paid toward; `line` is the one to be
 * written with the payment, null where the charge has been made. Undefined for a month that costs nothing.
 */
async function chargeMonth(
  tx: Tx,
  dojoId: string,
  student: LockedStudent,
  month: Month,
): Promise<{ charge: Charge; line: NewLine | null } | undefined> {
  const key = { student_id: student.id, year: month.year, month: month.month }
  const charge = (await ensureMonths(tx, [key])).get(keyOfMonth(key))!
  if (isMade(charge)) return { charge, line: null }
  const { cents, reason } = (await pricesIn(tx, dojoId, [month]))(student, month)
  if (cents === 0) return undefined
  const line: NewLine = {
    student_id: student.id,
    charge_id: charge.id,
    kind: 'charge',
    cents,
    reason,
  }
  return { charge: withLine(charge, line), line }
}

/** The charge as it will be. */
const withLine = (charge: Charge, { kind, cents, reason = null }: NewLine): Charge => ({
  ...charge,
  lines: [
    ...charge.lines,
    { id: newId(), charge_id: charge.id, kind, cents, reason, reverses: null } as Line,
  ],
})

/** The charge of the month in progress, where it is asked for. */
async function monthInProgress(tx: Tx, dojoId: string, student: LockedStudent) {
  const today = await todayOf(tx, dojoId)
  return paysToday(student, today)
    ? chargeMonth(tx, dojoId, student, monthOfDate(today))
    : undefined
}

type Payment = Pick<NewPayment, 'amount' | 'toward' | 'charge_id'>

/** A payment of a locked student: toward the named charge or month, then toward what is owed longest; what is left over is credit. */
async function paymentLines(
  tx: Tx,
  caller: Caller,
  student: LockedStudent,
  { amount, toward, charge_id: toward_id }: Payment,
): Promise<NewLine[]> {
  const student_id = student.id
  const named = toward ? await chargeMonth(tx, caller.dojoId, student, toward) : undefined
  const current = await monthInProgress(tx, caller.dojoId, student)
  const made = [named, current].filter((one) => one !== undefined)
  const owed = [
    ...(await chargesOfStudent(tx, student_id)).filter(
      ({ id }) => !made.some(({ charge }) => charge.id === id),
    ),
    ...made.map(({ charge }) => charge),
  ]
  const first = (one: Charge) => (one.id === toward_id ? 0 : one.id === named?.charge.id ? 1 : 2)
  const order = [...new Map(owed.map((one) => [one.id, one])).values()].toSorted(
    (a, b) => first(a) - first(b) || oldestFirst(a, b),
  )
  const { parts, rest } = spread(toCents(amount), order)
  const isPaidToward = (charge: Charge) => parts.some((part) => part.charge.id === charge.id)
  const charged = new Map(
    made.flatMap(({ charge, line }) => (line && isPaidToward(charge) ? [[charge.id, line]] : [])),
  )
  const payment = (charge_id: string | null, cents: number): NewLine => ({
    student_id,
    charge_id,
    kind: 'payment',
    cents: 0 - cents,
  })
  return [
    ...charged.values(),
    ...parts.map(({ charge, cents }) => payment(charge.id, cents)),
    ...(rest > 0 ? [payment(null, rest)] : []),
  ]
}

/** Takes a payment of any amount. 404 for a charge that is not the student's. */
export async function pay(
  tx: Tx,
  caller: Caller,
  { student_id, amount, toward, charge_id, ...received }: NewPayment,
): Promise<LedgerAct> {
  const student = await lockOne(tx, student_id)
  if (charge_id) await lockCharge(tx, charge_id, { student_id })
  const act = await newAct(tx, caller, received)
  const lines = await paymentLines(tx, caller, student, { amount, toward, charge_id })
  const reply = await save(tx, act, lines)
  await auditAct(tx, caller, 'payment taken', {
    subject_id: student_id,
    details: { amount, ...(act.method && { method: act.method }) },
  })
  return reply
}

/** Takes one payment for several students, such as a family's, as one act. 404 where one of them is none of the dojo's. */
export async function payTogether(
  tx: Tx,
  caller: Caller,
  { payments, ...received }: NewPayments,
): Promise<LedgerAct> {
  const ids = payments.map(({ student_id }) => student_id)
  const students = await lockStudents(tx, ids)
  const act = await newAct(tx, caller, received)
  const amounts = new Map(payments.map(({ student_id, amount }) => [student_id, amount]))
  const lines: NewLine[] = []
  for (const student of students)
    lines.push(...(await paymentLines(tx, caller, student, { amount: amounts.get(student.id)! })))
  const reply = await save(tx, act, lines)
  await auditAct(tx, caller, 'payment taken', {
    ...(ids.length === 1 && { subject_id: ids[0]! }),
    details: {
      students: ids.length,
      amount: reply.total,
      ...(act.method && { method: act.method }),
    },
  })
  return reply
}

/** Charges students for something other than a month; who has credit pays with it at once. */
export async function chargeStudents(
  tx: Tx,
  caller: Caller,
  { student_ids, kind, amount, note = null, charged_on }: NewCharge,
): Promise<LedgerAct> {
  const ids = [...new Set(student_ids)]
  await lockStudents(tx, ids)
  const act: Act = { ...(await newAct(tx, caller)), note }
  const credits = await creditsOf(tx, ids)
  const rows = ids.map((student_id) => ({
    id: newId(),
    student_id,
    kind,
    year: null,
    month: null,
    note,
    charged_on: charged_on ?? act.made_on,
  }))
  await inChunks(rows, (some) => tx.insert(charges).values(some))
  const lines = rows.flatMap((row): NewLine[] => {
    const line: NewLine = {
      student_id: row.student_id,
      charge_id: row.id,
      kind: 'charge',
      cents: toCents(amount),
    }
    return [
      line,
      ...creditLines(credits.get(row.student_id) ?? 0, [withLine({ ...row, lines: [] }, line)]),
    ]
  })
  await writeLines(tx, act, lines)
  await auditAct(tx, caller, 'students charged', {
    ...(ids.length === 1 && { subject_id: ids[0]! }),
    details: { students: ids.length, kind, amount },
  })
  return actReply(act, lines)
}

/** A charge whose student is locked. */
async function lockCharge(tx: Tx, id: string, of: { student_id?: string } = {}): Promise<Charge> {
  const [found] = await tx
    .select({ student_id: charges.student_id })
    .from(charges)
    .where(
      and(eq(charges.id, id), of.student_id ? eq(charges.student_id, of.student_id) : undefined),
    )
  // A deleted student's charge is closed.
  if (!found?.student_id) throw notFound('Charge')
  await lockOne(tx, found.student_id)
  return (await chargesById(tx, [id]))[0]!
}

/** Forgives what is still owed of a charge. */
export async function writeOff(
  tx: Tx,
  caller: Caller,
  id: string,
  { note }: { note?: string | null | undefined },
): Promise<LedgerAct> {
  const one = await lockCharge(tx, id)
  const owed = owedOf(one)
  if (owed <= 0) throw new Refusal(409, 'Nothing is owed of this charge')
  const act = await newAct(tx, caller, { note })
  const { student_id } = one
  const reply = await save(tx, act, [
    { student_id, charge_id: id, kind: 'write_off', cents: 0 - owed },
  ])
  await auditAct(tx, caller, 'charge written off', {
    subject_id: student_id,
    details: { amount: toDollars(owed) },
  })
  return reply
}

/** Forgives what is still owed of these charges, in one act; nothing happens where nothing is. */
export async function writeOffAll(
  tx: Tx,
  caller: Caller,
  ids: string[],
  { note }: { note?: string | null | undefined },
): Promise<void> {
  const named = await chargesById(tx, ids)
  await lockStudents(
    tx,
    named.map(({ student_id }) => student_id),
  )
  const owed = (await chargesById(tx, ids)).filter((one) => owedOf(one) > 0)
  if (owed.length === 0) return
  const act = await newAct(tx, caller, { note })
  const lines = owed.map((one): NewLine => {
    const { id: charge_id, student_id } = one
    return { student_id, charge_id, kind: 'write_off', cents: 0 - owedOf(one) }
  })
  await save(tx, act, lines)
  await auditAct(tx, caller, 'charge written off', {
    ...(owed.length === 1 && { subject_id: owed[0]!.student_id }),
    details: { amount: toDollars(0 - sumOf(lines)), students: owed.length },
  })
}

/** Gives back at most what was received for a charge, which is then owed again, or at most the credit. */
export async function refund(
  tx: Tx,
  caller: Caller,
  { student_id, charge_id, amount, ...received }: NewRefund,
): Promise<LedgerAct> {
  await lockOne(tx, student_id)
  const one = charge_id ? await lockCharge(tx, charge_id, { student_id }) : undefined
  const most = one
    ? Math.min(0 - sumOfKinds(one.lines, 'payment', 'refund'), receivedOf(one))
    : ((await creditsOf(tx, [student_id])).get(student_id) ?? 0)
  if (toCents(amount) > most)
    throw invalid(
      'amount',
      one
        ? 'At most what was paid for this can be given back'
        : 'At most the credit can be given back',
    )
  const act = await newAct(tx, caller, received)
  const reply = await save(tx, act, [
    { student_id, charge_id: charge_id ?? null, kind: 'refund', cents: toCents(amount) },
  ])
  await auditAct(tx, caller, 'money given back', { subject_id: student_id, details: { amount } })
  return reply
}
