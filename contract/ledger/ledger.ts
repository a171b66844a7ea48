import { z } from 'zod'
import type { Month } from '../lib/calendar-day.ts'
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
import { evenIfOnItsWay, paymentMark, paymentRecord } from './payment-records.ts'

/** `plan` is a period of an add-on. The plan that is no add-on makes the price of the month. */
export const CHARGE_KINDS = [
  ...(['month', 'grading', 'equipment', 'late_fee', 'other'] as const),
  ...(['plan', 'sign_up', 'yearly', 'pack', 'drop_in', 'early_end'] as const),
] as const
export type ChargeKind = (typeof CHARGE_KINDS)[number]
/** `online` is for payments and refunds through Stripe, which nobody enters by hand. */
export const PAYMENT_METHODS = ['cash', 'cheque', 'card', 'transfer', 'online'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]
export const LINE_KINDS = ['charge', 'payment', 'credit', 'refund', 'write_off'] as const
export type LineKind = (typeof LINE_KINDS)[number]

const selectableMethod = oneOf('Method', ['cash', 'cheque', 'card', 'transfer'])
const note = clearable(singleLineText('Note', 200))
export const positiveDollars = (label: string) =>
  dollars(label).refine((value) => value > 0, `${label} must be more than 0`)
const amount = positiveDollars('Amount')
/** How and when money was received. The default day is today. */
const paymentDetails = {
  method: clearable(selectableMethod),
  note,
  received_on: clearable(calendarDate('Date')),
}
const calendarMonth = z.object({ month, year }, 'The month must be an object')

export const MAX_MARKS = 500
const ONE_MARK_EACH = 'A student can have one mark for a month'
const markKey = ({ student_id, payment_year, payment_month }: z.output<typeof paymentMark>) =>
  `${student_id} ${payment_year} ${payment_month}`

const paymentMarks = z.object({
  marks: z
    .array(z.object(paymentMark.shape, 'A mark must be an object'), 'Marks must be a list')
    .min(1, 'At least one mark')
    .max(MAX_MARKS, `At most ${MAX_MARKS} marks`)
    .refine((marks) => new Set(marks.map(markKey)).size === marks.length, ONE_MARK_EACH),
  ...paymentDetails,
})
export type PaymentMarks = z.output<typeof paymentMarks>

/** Pays the named charge or month, then what has been owed longest. The rest becomes credit. */
export const newPayment = z.object({
  student_id: uuid('Student'),
  amount,
  toward: clearable(calendarMonth),
  charge_id: clearable(uuid('Charge')),
  even_if_on_its_way: evenIfOnItsWay,
  ...paymentDetails,
})
export type NewPayment = z.output<typeof newPayment>

const MAX_PAYMENTS = 20
const ONE_PAYMENT_EACH = 'A student can have one payment'
/** A payment for several students, such as a family. */
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
  even_if_on_its_way: evenIfOnItsWay,
  ...paymentDetails,
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

/** A refund of credit, or of a charge, which is then owed again. */
export const newRefund = z.object({
  student_id: uuid('Student'),
  charge_id: clearable(uuid('Charge')),
  amount,
  ...paymentDetails,
})
export type NewRefund = z.output<typeof newRefund>

export const writeOff = z.object({ note })

/** The sales tax in an amount, in dollars. Null if the charge is not taxed. */
export const containedTax = { tax: z.number().nullable(), tax_percent: z.number().nullable() }

/** What an act did: the money received less refunds, in dollars, and how many lines it added. */
const act = z.object({ act_id: z.uuid(), total: z.number(), lines: z.number() })
export type LedgerAct = z.output<typeof act>

const ledgerLine = z.object({
  id: z.uuid(),
  act_id: z.uuid(),
  charge_id: z.uuid().nullable(),
  kind: z.enum(LINE_KINDS),
  /** Above 0 is owed, below 0 paid or forgiven. A `credit` line does not change the balance. */
  amount: z.number(),
  /** Why a charge is lower than the fee: "2nd of 3: −10%". */
  reason: z.string().nullable(),
  method: z.enum(PAYMENT_METHODS).nullable(),
  note: z.string().nullable(),
  made_on: z.string(),
  created_at: z.string(),
  /** The instructor's name. Null for the schedule and for former instructors. */
  created_by: z.string().nullable(),
  /** The line that this line undoes. */
  reverses: z.uuid().nullable(),
  /** Whether it follows from plans and holds, so that it cannot be undone without changing
   *  these. */
  follows_plan: z.boolean(),
  ...containedTax,
})
export type LedgerLine = z.output<typeof ledgerLine>

const accountCharge = z.object({
  /** Null for the current month, which is not charged yet. */
  id: z.uuid().nullable(),
  kind: z.enum(CHARGE_KINDS),
  month: z.number().nullable(),
  year: z.number().nullable(),
  amount: z.number(),
  owed: z.number(),
  reason: z.string().nullable(),
  note: z.string().nullable(),
  charged_on: z.string(),
  ...containedTax,
})
export type AccountCharge = z.output<typeof accountCharge>

const account = z.object({
  student_id: z.uuid(),
  /** Negative if the student has credit. */
  balance: z.number(),
  /** All credit that the ledger has not used yet. */
  credit: z.number(),
  /** What a bank is bringing for what is owed, which takes up to four business days. */
  on_its_way: z.number(),
  owed_since: z.string().nullable(),
  charges: z.array(accountCharge),
  lines: z.array(ledgerLine),
})
export type Account = z.output<typeof account>

/** Finds the charge of a month. The current month's has no id until it is charged. */
export const findMonthCharge = (
  { charges }: Pick<Account, 'charges'>,
  { month: monthNumber, year: yearNumber }: Month,
): AccountCharge | undefined =>
  charges.find(
    (charge) =>
      charge.kind === 'month' && charge.month === monthNumber && charge.year === yearNumber,
  )

const balance = z.object({
  student_id: z.uuid(),
  owed: z.number(),
  credit: z.number(),
  owed_since: z.string().nullable(),
})
export type Balance = z.output<typeof balance>

export const ledgerApi = {
  balances: {
    method: 'GET',
    path: '/payment-balances',
    access: 'instructor',
    right: 'money.see',
    summary: 'Students who owe money or have credit: how much, and since when',
    reply: z.array(balance),
  },
  account: {
    method: 'GET',
    path: '/students/:id/account',
    access: 'instructor',
    right: 'money.take',
    summary: "A student's charges and every line of the ledger",
    params: idParams,
    reply: account,
  },
  markAll: {
    method: 'POST',
    path: '/payment-records/marks',
    access: 'instructor',
    right: 'money.take',
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
    right: 'money.take',
    summary: 'Take a payment for a charge, a month, or what has been owed longest',
    idempotent: true,
    body: newPayment,
    reply: act,
  },
  payTogether: {
    method: 'POST',
    path: '/payments/together',
    access: 'instructor',
    right: 'money.take',
    summary: 'Take one payment for up to 20 students',
    idempotent: true,
    body: newPayments,
    reply: act,
  },
  charge: {
    method: 'POST',
    path: '/charges',
    access: 'instructor',
    right: 'money.take',
    summary: 'Charge students for something other than a month',
    idempotent: true,
    body: newCharge,
    reply: act,
  },
  writeOff: {
    method: 'POST',
    path: '/charges/:id/write-off',
    access: 'instructor',
    right: 'money.give_back',
    summary: 'Forgive what is still owed for a charge',
    params: idParams,
    body: writeOff,
    reply: act,
  },
  refund: {
    method: 'POST',
    path: '/refunds',
    access: 'instructor',
    right: 'money.give_back',
    summary: 'Refund what was paid for a charge, which is then owed again, or credit',
    idempotent: true,
    body: newRefund,
    reply: act,
  },
  undo: {
    method: 'POST',
    path: '/ledger-acts/:id/undo',
    access: 'instructor',
    right: 'money.take',
    summary:
      'Undo everything that one action did to the ledger. 409 if something later depends on it',
    params: idParams,
    reply: act,
  },
} as const satisfies Api
