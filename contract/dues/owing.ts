import { z } from 'zod'
import { positiveDollars } from '../ledger/ledger.ts'
import { monthQuery } from '../ledger/payment-records.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  idParams,
  month,
  singleLineText,
  success,
  uuid,
  year,
} from '../lib/fields.ts'

const promise = z.object({ id: z.uuid(), promised_on: z.string(), note: z.string().nullable() })
export type PaymentPromise = z.output<typeof promise>

const owingStudent = z.object({
  student_id: z.uuid(),
  name: z.string(),
  owed: z.number(),
  /** The day on which the oldest unpaid charge became due. */
  since: z.string(),
  /** The last day of a former student. */
  left_on: z.string().nullable(),
})
const owingFamily = z.object({
  payer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  students: z.array(owingStudent),
  total: z.number(),
  since: z.string(),
  /** What is owed by the day on which it is due, the oldest first. A test's fee is due on its
   *  day. */
  charges: z.array(z.object({ due_on: z.string(), owed: z.number() })),
  /** The newest open promise of any of the students. Its day may be in the past. */
  promise: promise.nullable(),
})
export type OwingFamily = z.output<typeof owingFamily>

const MAX_STUDENTS = 500
const studentIds = z
  .array(uuid('Student'), 'Students must be a list')
  .min(1, 'At least one student')
  .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)

export const newPromise = z.object({
  student_ids: studentIds,
  promised_on: calendarDate('Day'),
  note: clearable(singleLineText('Note', 200)),
})
export type NewPromise = z.output<typeof newPromise>

const MAX_GRACE_DAYS = 60
const INVALID_GRACE_DAYS = `Grace days must be 0 to ${MAX_GRACE_DAYS}`
const INVALID_PERCENT = 'The late fee must be 1 to 100%'
const PERCENT_OR_AMOUNT = 'A late fee is either a percentage or an amount in dollars'

export const lateFeeRule = z
  .object({
    grace_days: z
      .number(INVALID_GRACE_DAYS)
      .int(INVALID_GRACE_DAYS)
      .min(0, INVALID_GRACE_DAYS)
      .max(MAX_GRACE_DAYS, INVALID_GRACE_DAYS),
    percent: z
      .number(INVALID_PERCENT)
      .int(INVALID_PERCENT)
      .min(1, INVALID_PERCENT)
      .max(100, INVALID_PERCENT)
      .nullish(),
    amount: positiveDollars('Late fee').nullish(),
  })
  .refine(({ percent, amount }) => typeof percent !== 'number' || typeof amount !== 'number', {
    error: PERCENT_OR_AMOUNT,
    path: ['percent'],
  })
const storedRule = z.object({
  grace_days: z.number(),
  percent: z.number().nullable(),
  amount: z.number().nullable(),
})

const lateFee = z.object({
  student_id: z.uuid(),
  name: z.string(),
  owed: z.number(),
  days_late: z.number(),
  fee: z.number(),
})
export type LateFee = z.output<typeof lateFee>
const newLateFees = z.object({ month, year, student_ids: studentIds })
export type NewLateFees = z.output<typeof newLateFees>

export const owingApi = {
  list: {
    method: 'GET',
    path: '/owing',
    access: 'instructor',
    right: 'money.see',
    summary: 'Who owes how much and since when, by family: longest owed first, then largest',
    reply: z.array(owingFamily),
  },
  promises: {
    method: 'GET',
    path: '/payment-promises',
    access: 'instructor',
    right: 'money.see',
    summary: 'Open promises to pay by a day, one row for each student, until everything is paid',
    reply: z.array(promise.extend({ student_id: z.uuid() })),
  },
  promise: {
    method: 'POST',
    path: '/payment-promises',
    access: 'instructor',
    right: 'money.take',
    summary: 'Record the day by which students will pay. Automatic reminders stop until then',
    idempotent: true,
    body: newPromise,
    reply: promise.extend({ student_ids: z.array(z.uuid()) }),
  },
  endPromise: {
    method: 'DELETE',
    path: '/payment-promises/:id',
    access: 'instructor',
    right: 'money.take',
    summary: 'End a promise',
    params: idParams,
    reply: success,
  },
  lateFeeRule: {
    method: 'GET',
    path: '/late-fee-rule',
    access: 'instructor',
    right: 'money.see',
    summary: "The dojo's rule for late fees. Without percent and amount there are none",
    reply: storedRule,
  },
  setLateFeeRule: {
    method: 'PUT',
    path: '/late-fee-rule',
    access: 'instructor',
    right: 'settings',
    summary: 'Replace the rule for late fees. Existing charges do not change',
    body: lateFeeRule,
    reply: storedRule,
  },
  lateFees: {
    method: 'GET',
    path: '/late-fees/preview',
    access: 'instructor',
    right: 'money.see',
    summary: 'Who could be charged a late fee for a month now, and how much',
    query: monthQuery,
    reply: z.array(lateFee),
  },
  chargeLateFees: {
    method: 'POST',
    path: '/late-fees',
    access: 'instructor',
    right: 'money.see',
    summary: 'Charge students the late fee of a month. 409 if the preview has changed',
    idempotent: true,
    body: newLateFees,
    reply: z.object({ act_id: z.uuid(), students: z.number(), total: z.number() }),
  },
} as const satisfies Api
