import { z } from 'zod'
import { clearable, dollars, month, oneOf, uuid, year } from '../lib/fields.ts'

const parseNumber = (value: unknown) =>
  typeof value === 'string' && value.trim() !== ''
    ? Number(value)
    : value === ''
      ? undefined
      : value
const queryNumber = <S extends z.ZodType>(schema: S) =>
  z.preprocess(parseNumber, schema.optional()).optional() as unknown as z.ZodOptional<
    z.ZodType<z.output<S>, string | number>
  >
/** A month in a query; the dojo's current month by default. */
export const monthQuery = z.object({ month: queryNumber(month), year: queryNumber(year) })
export type MonthQuery = z.output<typeof monthQuery>

const PAYMENT_STATUSES = ['paid', 'unpaid'] as const

export const paymentRecord = z.object({
  student_id: z.uuid(),
  payment_status: z.enum(PAYMENT_STATUSES),
  marked_at: z.string(),
  updated_at: z.string(),
  payment_month: z.number(),
  payment_year: z.number(),
  monthly_payment_amount: z.number(),
  /** Why it was less than the student's fee, such as "2nd of 3: −10 %"; null for the fee itself and for any other amount. */
  price_reason: z.string().nullable(),
})
export type PaymentRecord = z.output<typeof paymentRecord>

/** A student's month in dollars; whoever is not named in a list of them owes nothing for it. */
export const monthDue = z.object({
  student_id: z.uuid(),
  /** What is asked for it in all, the parts that were paid included. */
  cost: z.number(),
  received: z.number(),
  owed: z.number(),
  /** The day since when it is owed: its first, or the day in it on which they joined or came back. */
  since: z.string(),
})
export type MonthDue = z.output<typeof monthDue>

type RecordedStatus = Pick<PaymentRecord, 'payment_status' | 'monthly_payment_amount'>
/** Whether a record says that its month was settled with $0: a free month, or one that was forgiven. */
export const isFreeMonth = (record: RecordedStatus): boolean =>
  record.payment_status === 'paid' && record.monthly_payment_amount === 0

/** A student's status in a month. Who is asked for nothing is neither paid nor unpaid, and $0 pays nothing. */
export type MonthState = 'paid' | 'unpaid' | 'nothing_due'
export const monthStateOf = (
  record: RecordedStatus | undefined,
  due: Pick<MonthDue, 'cost'> | undefined,
): MonthState => {
  if (record && isFreeMonth(record)) return 'nothing_due'
  if (record?.payment_status === 'paid') return 'paid'
  return due && due.cost > 0 ? 'unpaid' : 'nothing_due'
}

export const paymentMark = z.object({
  student_id: uuid('Student'),
  monthly_payment_amount: clearable(dollars('Monthly payment amount')),
  payment_month: month,
  payment_year: year,
  payment_status: oneOf('Payment status', PAYMENT_STATUSES),
})
export type PaymentMark = z.output<typeof paymentMark>
