import { z } from 'zod'
import {
  clearable,
  dollars,
  emptyAsUndefined,
  flag,
  month,
  oneOf,
  uuid,
  year,
} from '../lib/fields.ts'

function parseNumber(value: unknown) {
  if (value === '') return undefined
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}
const queryNumber = <S extends z.ZodType>(schema: S) =>
  z.preprocess(parseNumber, schema) as unknown as z.ZodType<z.output<S>, string | number>
export const monthQuery = z.object({ month: queryNumber(month), year: queryNumber(year) })

const optionalQueryNumber = <S extends z.ZodType>(schema: S) =>
  z.preprocess(parseNumber, schema.optional()).optional() as unknown as z.ZodOptional<
    z.ZodType<z.output<S>, string | number>
  >
export const optionalMonthQuery = z.object({
  month: optionalQueryNumber(month),
  year: optionalQueryNumber(year),
})
export type MonthQuery = z.output<typeof optionalMonthQuery>

const PAYMENT_STATUSES = ['paid', 'unpaid'] as const

export const paymentRecord = z.object({
  student_id: z.uuid(),
  payment_status: z.enum(PAYMENT_STATUSES),
  marked_at: z.string(),
  updated_at: z.string(),
  payment_month: z.number(),
  payment_year: z.number(),
  monthly_payment_amount: z.number(),
  /** Why the amount is lower than the fee, such as "2nd of 3: −10%", or null. */
  price_reason: z.string().nullable(),
})
export type PaymentRecord = z.output<typeof paymentRecord>

/** A student's month in dollars, due on `since`. Lists skip students who owe nothing for it. */
export const monthDue = z.object({
  student_id: z.uuid(),
  cost: z.number(),
  received: z.number(),
  owed: z.number(),
  since: z.string(),
})
export type MonthDue = z.output<typeof monthDue>

type RecordedStatus = Pick<PaymentRecord, 'payment_status' | 'monthly_payment_amount'>
/** A month that was settled with $0, because it was free or forgiven. */
export const isFreeMonth = (record: RecordedStatus): boolean =>
  record.payment_status === 'paid' && record.monthly_payment_amount === 0

export type MonthState = 'paid' | 'unpaid' | 'nothing_due'
export const monthStateOf = (
  record: RecordedStatus | undefined,
  due: Pick<MonthDue, 'cost'> | undefined,
): MonthState => {
  if (record && isFreeMonth(record)) return 'nothing_due'
  if (record?.payment_status === 'paid') return 'paid'
  return due && due.cost > 0 ? 'unpaid' : 'nothing_due'
}

/** True to record money although the same money is on its way online. Otherwise, the call answers
 *  409 in that case. */
export const evenIfOnItsWay = emptyAsUndefined(flag('Even if on its way'))

export const paymentMark = z.object({
  student_id: uuid('Student'),
  monthly_payment_amount: clearable(dollars('Monthly payment amount')),
  payment_month: month,
  payment_year: year,
  payment_status: oneOf('Payment status', PAYMENT_STATUSES),
  even_if_on_its_way: evenIfOnItsWay,
})
export type PaymentMark = z.output<typeof paymentMark>
