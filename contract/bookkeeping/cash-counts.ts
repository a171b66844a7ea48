import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { calendarDate, clearable, singleLineText, sumInDollars } from '../lib/fields.ts'
import { PAYMENT_METHODS } from '../ledger/ledger.ts'

/** `received` less what was taken back that day; `given_back` are refunds. */
const moneyOfDay = z.object({ received: z.number(), given_back: z.number() })
const byMethod = moneyOfDay.extend({
  method: z.enum(PAYMENT_METHODS).nullable(),
  /** Who entered it; null for what no instructor of today has. */
  people: z.array(moneyOfDay.extend({ name: z.string().nullable() })),
})

const cashCount = z.object({
  counted: z.number(),
  /** Cash by the ledger at the moment of the count. */
  expected: z.number(),
  /** Counted less expected: what is too much is more than 0. */
  difference: z.number(),
  note: z.string().nullable(),
  counted_at: z.string(),
  counted_by: z.string().nullable(),
})

const cashDay = z.object({
  date: z.string(),
  methods: z.array(byMethod),
  /** Cash received less cash given back, by the ledger as it is now. */
  expected_cash: z.number(),
  count: cashCount.nullable(),
})
export type CashDay = z.output<typeof cashDay>

export const newCashCount = z.object({
  counted: sumInDollars('Counted cash'),
  note: clearable(singleLineText('Note', 200)),
})
export type NewCashCount = z.output<typeof newCashCount>

const dayParams = z.object({ date: calendarDate('Date') })

export const cashCountsApi = {
  show: {
    method: 'GET',
    path: '/cash-counts',
    access: 'instructor',
    summary:
      'What was received and given back on a day, today where none is named, by method and by who took it, and the cash that was counted',
    query: z.object({ date: calendarDate('Date').optional() }),
    reply: cashDay,
  },
  set: {
    method: 'PUT',
    path: '/cash-counts/:date',
    access: 'instructor',
    summary: "Store a day's counted cash, and by how much it differs from the ledger",
    params: dayParams,
    body: newCashCount,
    reply: cashDay,
  },
} as const satisfies Api
