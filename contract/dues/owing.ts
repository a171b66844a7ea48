import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  dollars,
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
  /** Over all charges and the month in progress, in dollars. */
  owed: z.number(),
  since: z.string(),
})
const owingFamily = z.object({
  /** Null for a student for whom no guardian pays. */
  payer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  students: z.array(owingStudent),
  total: z.number(),
  /** The day since when the oldest of it is owed. */
  since: z.string(),
  /** The newest promise of any of them that nobody has ended; its day may be past. */
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
const GRACE = `Days of grace must be 0 to ${MAX_GRACE_DAYS}`
const PERCENT = 'The late fee must be 1 to 100 %'
const ONE_KIND = 'A late fee is either in per cent or in dollars'
const isSet = (value: unknown) => value !== undefined && value !== null

export const lateFeeRule = z
  .object({
    grace_days: z.number(GRACE).int(GRACE).min(0, GRACE).max(MAX_GRACE_DAYS, GRACE),
    percent: z.number(PERCENT).int(PERCENT).min(1, PERCENT).max(100, PERCENT).nullish(),
    amount: dollars('Late fee')
      .refine((dollarsOf) => dollarsOf > 0, 'Late fee must be more than 0')
      .nullish(),
  })
  .refine(({ percent, amount }) => !isSet(percent) || !isSet(amount), {
    error: ONE_KIND,
    path: ['percent'],
  })
const storedRule = z.object({
  grace_days: z.number(),
  percent: z.number().nullable(),
  amount: z.number().nullable(),
})

const asNumber = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value
const queryNumber = <S extends z.ZodType>(schema: S) =>
  z.preprocess(asNumber, schema) as unknown as z.ZodType<z.output<S>, string | number>

const lateFee = z.object({
  student_id: z.uuid(),
  name: z.string(),
  /** Of that month, in dollars. */
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
    summary: 'Who owes what since when, by family: the oldest first, then the largest',
    reply: z.array(owingFamily),
  },
  promises: {
    method: 'GET',
    path: '/payment-promises',
    access: 'instructor',
    summary:
      'For whom somebody has said on which day they pay; those whose day is past until they pay',
    reply: z.array(promise.extend({ student_id: z.uuid() })),
  },
  promise: {
    method: 'POST',
    path: '/payment-promises',
    access: 'instructor',
    summary:
      'Note on which day students pay; no automatic reminder goes to them until then. It replaces an earlier promise',
    idempotent: true,
    body: newPromise,
    reply: promise.extend({ student_ids: z.array(z.uuid()) }),
  },
  endPromise: {
    method: 'DELETE',
    path: '/payment-promises/:id',
    access: 'instructor',
    summary: 'End a promise',
    params: idParams,
    reply: success,
  },
  lateFeeRule: {
    method: 'GET',
    path: '/late-fee-rule',
    access: 'instructor',
    summary: "The dojo's rule for late fees; neither per cent nor dollars means none",
    reply: storedRule,
  },
  setLateFeeRule: {
    method: 'PUT',
    path: '/late-fee-rule',
    access: 'instructor',
    summary: 'Replace the rule for late fees; charges stay as they are',
    body: lateFeeRule,
    reply: storedRule,
  },
  lateFees: {
    method: 'GET',
    path: '/late-fees/preview',
    access: 'instructor',
    summary: 'Whom a late fee for a month could be charged now, and how much',
    query: z.object({ month: queryNumber(month), year: queryNumber(year) }),
    reply: z.array(lateFee),
  },
  chargeLateFees: {
    method: 'POST',
    path: '/late-fees',
    access: 'instructor',
    summary:
      'Charge students the late fee of a month, all or none: 409 where the preview no longer names one of them',
    idempotent: true,
    body: newLateFees,
    /** `total` is the sum of the fees, in dollars; `act_id` is what undo takes back. */
    reply: z.object({ act_id: z.uuid(), students: z.number(), total: z.number() }),
  },
} as const satisfies Api
