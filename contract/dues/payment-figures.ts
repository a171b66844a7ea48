import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { PAYMENT_METHODS } from '../ledger/ledger.ts'
import { monthOfDate, monthsBetween } from '../lib/calendar-day.ts'

const MAX_MONTHS = 60

const monthText = (label: string) =>
  z
    .string(`${label} is required`)
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, `${label} must be a month (YYYY-MM)`)
const ENDS_BEFORE_START = 'The last month must not be before the first'

const figuresQuery = z
  .object({ from: monthText('First month'), to: monthText('Last month') })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: ENDS_BEFORE_START })
  .refine(({ from, to }) => monthsBetween(monthOfDate(from), monthOfDate(to)) < MAX_MONTHS, {
    path: ['to'],
    error: `At most ${MAX_MONTHS} months`,
  })
export type FiguresQuery = z.output<typeof figuresQuery>

const figuresOfMonth = z.object({
  month: z.string(),
  /** What was charged in the month. The current month counts with today's prices. */
  expected: z.number(),
  received: z.number(),
  owed: z.number(),
  written_off: z.number(),
})

const paymentFigures = z.object({
  months: z.array(figuresOfMonth),
  /** Only of months with tax: what payments brought, less refunds, by percentage. */
  sales_tax: z.array(z.object({ month: z.string(), percent: z.number(), collected: z.number() })),
  methods: z.array(z.object({ method: z.enum(PAYMENT_METHODS).nullable(), received: z.number() })),
  classes: z.array(
    z.object({
      class_id: z.uuid().nullable(),
      class_name: z.string().nullable(),
      expected: z.number(),
      received: z.number(),
    }),
  ),
})
export type PaymentFigures = z.output<typeof paymentFigures>

export const paymentFiguresApi = {
  show: {
    method: 'GET',
    path: '/payment-figures',
    access: 'instructor',
    right: 'money.see',
    summary: 'What was expected, received, owed and written off, by month, method and class',
    query: figuresQuery,
    reply: paymentFigures,
  },
} as const satisfies Api
