import type { Month } from '../lib/calendar-day.ts'
import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  dollars,
  idParams,
  month,
  oneOf,
  singleLineText,
  uuid,
  year,
} from '../lib/fields.ts'
import { paymentMark, paymentRecord } from './payment-records.ts'

export const CHARGE_KINDS = ['month', 'grading', 'equipment', 'late_fee', 'other'] as const
export type ChargeKind = (typeof CHARGE_KINDS)[number]
/** `online` is what an online payment will say of itself; nobody chooses it. */
export const PAYMENT_METHODS = ['cash', 'cheque', 'card', 'transfer', 'online'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]
export const LINE_KINDS = ['charge', 'payment', 'credit', 'refund', 'write_off'] as const
export type LineKind = (typeof LINE_KINDS)[number]

const chosenMethod = oneOf('Method', ['cash', 'cheque', 'card', 'transfer'])
const note = clearable(singleLineText('Note', 200))
const amount = dollars('Amount').refine((dollarsOf) => dollarsOf > 0, 'Amount must be more than 0')
/** How money came: all optional; the day is the dojo's today by default. */
const received = {
  method: clearable(chosenMethod),
  note,
  received_on: clearable(calendarDate('Date')),
}
const calendarMonth = z.object({ month, year }, 'The month must be an object')

export const MAX_MARKS = 500
const ONE_MARK_EACH = 'A student can have one mark for a month'
const keyOfMark = ({ student_id, payment_year, payment_month }: z.output<typeof paymentMark>) =>
  `${student_id} ${payment_year} ${payment_month}`

/** Several months marked at once: all or none. */
const paymentMarks = z.object({
  marks: z
    .array(z.object(paymentMark.shape, 'A mark must be an object'), 'Marks must be a list')
    .min(1, 'At least one mark')
    .max(MAX_MARKS, `At most ${MAX_MARKS} marks`)
    .refine((marks) => new Set(marks.map(keyOfMark)).size === marks.length, ONE_MARK_EACH),
  ...received,
})
export type PaymentMarks = z.output<typeof paymentMarks>

/** Money for one student: first toward the charge or the month named, then what is owed longest; what is left over is credit. */
export const newPayment = z.object({
  student_id: uuid('Student'),
  amount,
  toward: clearable(calendarMonth),
  charge_id: clearable(uuid('Charge')),
  ...received,
})
export type NewPayment = z.output<typeof newPayment>

const MAX_PAYMENTS = 20
const ONE_PAYMENT_EACH = 'A student can have one payment'
/** Money of several students that came together, such as a family's: each part goes to what its student has owed longest. */
export const newPayments = z.object({
  payments: z
    .array(
      z.object({ student_id: uuid('Student'), amount }, 'A payment must be an object'),
      'Payments must be a list',
    )
    .min(1, 'At least one payment')
    .max(MAX_PAYMENTS, `At most ${MAX_PAYMENTS} payments`)
    .refine(
      (payments) => new Set(payments.map(({ student_id }) => student_id)).size === payments.length,
      ONE_PAYMENT_EACH,
    ),
  ...received,
})
export type NewPayments = z.output<typeof newPayments>

export const newCharge = z.object({
  student_ids: z
    .array(uuid('Student'), 'Students must be a list')
    .min(1, 'At least one student')
    .max(MAX_MARKS, `At most ${MAX_MARKS} students`),
  kind: oneOf('Kind', ['grading', 'equipment', 'other']),
  amount,
  note,
  charged_on: clearable(calendarDate('Date')),
})
export type NewCharge = z.output<typeof newCharge>

/** Money given back: of what was received for a charge, which is then owed again, or of the credit. */
export const newRefund = z.object({
  student_id: uuid('Student'),
  charge_id: clearable(uuid('Charge')),
  amount,
  ...received,
})
export type NewRefund = z.output<typeof newRefund>

export const writeOff = z.object({ note })

/** What a press has done to the ledger: `total` is the money received less what was taken back, in dollars; `lines` their number. */
const act = z.object({ act_id: z.uuid(), total: z.number(), lines: z.number() })
export type LedgerAct = z.output<typeof act>

const ledgerLine = z.object({
  id: z.uuid(),
  act_id: z.uuid(),
  charge_id: z.uuid().nullable(),
  kind: z.enum(LINE_KINDS),
  /** Dollars; more than 0 is owed, less was paid or forgiven. A `credit` line moves credit to a charge and changes no balance. */
  amount: z.number(),
  /** Of a charge that is less than the fee: "2nd of 3: −10 %". */
  reason: z.string().nullable(),
  method: z.enum(PAYMENT_METHODS).nullable(),
  note: z.string().nullable(),
  /** The day on which it counts: received, charged or given back on. */
  made_on: z.string(),
  created_at: z.string(),
  /** The name of who entered it; null for what the schedule did, and for who has gone. */
  created_by: z.string().nullable(),
  /** The line that this one takes back. */
  reverses: z.uuid().nullable(),
})
export type LedgerLine = z.output<typeof ledgerLine>

const accountCharge = z.object({
  /** Null for the month in progress, which becomes a line when it ends or is paid. */
  id: z.uuid().nullable(),
  kind: z.enum(CHARGE_KINDS),
  month: z.number().nullable(),
  year: z.number().nullable(),
  amount: z.number(),
  owed: z.number(),
  reason: z.string().nullable(),
  note: z.string().nullable(),
  charged_on: z.string(),
})
export type AccountCharge = z.output<typeof accountCharge>

/**
 * A student's account: `balance` is what they still have to pay, less than 0 if it is credit. `credit` is all that the
 * ledger has not used yet.
 */
const account = z.object({
  student_id: z.uuid(),
  balance: z.number(),
  credit: z.number(),
  /** The day since when the oldest part of the balance is owed. */
  owed_since: z.string().nullable(),
  /** Those with an amount, oldest first. */
  charges: z.array(accountCharge),
  /** Newest first. */
  lines: z.array(ledgerLine),
})
export type Account = z.output<typeof account>

/** The charge of a month, also of the one in progress, which has no id yet. */
export const chargeOf = (
  { charges }: Pick<Account, 'charges'>,
  wanted: Month,
): AccountCharge | undefined =>
  charges.find(
    (charge) =>
      charge.kind === 'month' && charge.month === wanted.month && charge.year === wanted.year,
  )

const balance = z.object({
  student_id: z.uuid(),
  /** Over all charges and the month in progress, in dollars. */
  owed: z.number(),
  credit: z.number(),
  /** The day since when the oldest of them is owed; null where nothing is. */
  owed_since: z.string().nullable(),
})
export type Balance = z.output<typeof balance>

export const ledgerApi = {
  balances: {
    method: 'GET',
    path: '/payment-balances',
    access: 'instructor',
    summary:
      'Who owes how much over all months and since when, and who has credit; nobody else is listed',
    reply: z.array(balance),
  },
  account: {
    method: 'GET',
    path: '/students/:id/account',
    access: 'instructor',
    summary: "A student's charges and every line of the ledger",
    params: idParams,
    reply: account,
  },
  markAll: {
    method: 'POST',
    path: '/payment-records/marks',
    access: 'instructor',
    summary: 'Mark months of several students paid or unpaid, all or none',
    idempotent: true,
    maxBodyBytes: 128 * 1024,
    body: paymentMarks,
    reply: act.extend({ records: z.array(paymentRecord) }),
  },
  pay: {
    method: 'POST',
    path: '/payments',
    access: 'instructor',
    summary:
      'Take a payment of any amount: for the charge or month named, then for what is owed longest; what is left over is credit',
    idempotent: true,
    body: newPayment,
    reply: act,
  },
  payTogether: {
    method: 'POST',
    path: '/payments/together',
    access: 'instructor',
    summary:
      'Take one payment for up to 20 students, all or none: each amount pays what its student has owed longest, what is left over is credit',
    idempotent: true,
    body: newPayments,
    reply: act,
  },
  charge: {
    method: 'POST',
    path: '/charges',
    access: 'instructor',
    summary: 'Charge students for something other than a month',
    idempotent: true,
    body: newCharge,
    reply: act,
  },
  writeOff: {
    method: 'POST',
    path: '/charges/:id/write-off',
    access: 'instructor',
    summary: 'Forgive what is still owed of a charge',
    params: idParams,
    body: writeOff,
    reply: act,
  },
  refund: {
    method: 'POST',
    path: '/refunds',
    access: 'instructor',
    summary:
      'Give money back: at most what was paid for a charge, which is then owed again, or at most the credit',
    idempotent: true,
    body: newRefund,
    reply: act,
  },
  undo: {
    method: 'POST',
    path: '/ledger-acts/:id/undo',
    access: 'instructor',
    summary:
      'Take back everything that one press did to the ledger. 409 where it was taken back already, where the schedule did it, or where something later rests on it',
    params: idParams,
    reply: act,
  },
} as const satisfies Api
