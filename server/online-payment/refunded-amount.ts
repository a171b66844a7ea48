import { toDollars } from '@tatami/contract/lib/money'
import { sql } from 'drizzle-orm'

/** A column of a query of `online_payments`: how much was given back, in dollars. */
export const refundedAmount = sql`(
  select coalesce(sum(r.amount), 0) from online_refunds r
  where r.payment_id = online_payments.id and r.state <> 'failed'
)`.mapWith((cents: number | string) => toDollars(Number(cents)))
