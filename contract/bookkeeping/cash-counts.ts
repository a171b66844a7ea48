import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { calendarDate, clearable, singleLineText, totalInDollars } from '../lib/fields.ts'
import { PAYMENT_METHODS } from '../ledger/ledger.ts'

/** In dollars. `given_back` is the sum of refunds. */
const dailyMoney = z.object({ received: z.number(), given_back: z.number() })
const methodMoney = dailyMoney.extend({
  method: z.enum(PAYMENT_METHODS).nullable(),
  /** Each instructor's share. The name of a former instructor is null. */
  people: z.array(dailyMoney.extend({ name: z.string().nullable() })),
})

const cashCount = z.object({
  counted: z.number(),
  /** The day's cash according to the ledger at the time of the count. */
  expected: z.number(),
  difference: z.number(),
  note: z.string().nullable(),
  counted_at: z.string(),
  counted_by: z.string().nullable(),
})

const cashDay = z.object({
  date: z.string(),
  methods: z.array(methodMoney),
  expected_cash: z.number(),
  count: cashCount.nullable(),
})
export type CashDay = z.output<typeof cashDay>

export const newCashCount = z.object({
  counted: totalInDollars('Counted cash'),
  note: clearable(singleLineText('Note', 200)),
})
export type NewCashCount = z.output<typeof newCashCount>

const dayParams = z.object({ date: calendarDate('Date') })

export const cashCountsApi = {
  show: {
    method: 'GET',
    path: '/cash-counts',
    access: 'instructor',
    right: 'money.see',
    summary: "A day's money by method and instructor, and its cash count. By default today's",
    query: z.object({ date: calendarDate('Date').optional() }),
    reply: cashDay,
  },
  set: {
    method: 'PUT',
    path: '/cash-counts/:date',
    access: 'instructor',
    right: 'money.see',
    summary: "Store a day's counted cash and its difference from the ledger",
    params: dayParams,
    body: newCashCount,
    reply: cashDay,
  },
} as const satisfies Api
