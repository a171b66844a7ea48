import type { OnlinePayment } from '@tatami/contract/online-payment/online-payment'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { ne, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { toDollars } from '@tatami/contract/lib/money'
import { describeDecline } from './decline-words.ts'
import { needsReview } from './needs-review.ts'
import { onlinePayments } from './tables.ts'

const LISTED_DAYS = 60
const MAX_LISTED = 1000

type Row = Omit<OnlinePayment, 'decline_reason'> & { decline_code: string | null }

/** On a page of Stripe, a payer whose card is declined may try another one until the page expires. */
const isDeclinedCheckout = sql`(p.state in ('open', 'expired') and p.decline_code is not null
  and p.debit_id is null)`

/** Newest first, after those that a person should look at. */
export async function listOnlinePayments(tx: Tx, dojoId: string): Promise<OnlinePayment[]> {
  const earliestDay = addDays(await todayOf(tx, dojoId), 0 - LISTED_DAYS)
  const { rows } = await tx.execute<Row>(sql`
    select p.id, case when ${isDeclinedCheckout} then 'declined' else p.state end as state,
      p.amount, p.paid_twice, p.decline_code,
      case when ${needsReview(sql`p`)} then p.review_reason end as review_reason,
      not p.is_live as is_test,
      coalesce(g.name, s.name) as payer_name,
      to_json(p.created_at) #>> '{}' as created_at, to_json(p.paid_at) #>> '{}' as paid_at,
      array(select distinct l.student_id from online_payment_lines l
        where l.payment_id = p.id and l.student_id is not null) as student_ids,
      array(select l.name from online_payment_lines l
        where l.payment_id = p.id order by l.id) as line_names,
      (select coalesce(sum(r.amount), 0)::float8 from online_refunds r
        where r.payment_id = p.id and r.state <> 'failed') as refunded
    from online_payments p
    left join online_payers y on y.id = p.payer_id
    left join guardians g on g.id = y.guardian_id
    left join students s on s.id = y.student_id
    where ${needsReview(sql`p`)}
      or (p.created_at >= ${earliestDay}::date and (p.state <> 'expired' or ${isDeclinedCheckout}))
    order by not ${needsReview(sql`p`)}, p.created_at desc, p.id desc limit ${MAX_LISTED}`)
  return rows.map(({ decline_code, ...payment }) => ({
    ...payment,
    amount: toDollars(payment.amount),
    paid_twice: toDollars(payment.paid_twice),
    refunded: toDollars(payment.refunded),
    decline_reason: describeDecline(decline_code),
  }))
}

/** Whether there is anything to list, also after online payment was turned off. */
export async function hasOnlinePayments(tx: Tx): Promise<boolean> {
  const payments = await tx
    .select({ id: onlinePayments.id })
    .from(onlinePayments)
    .where(ne(onlinePayments.state, 'expired'))
    .limit(1)
  return payments.length > 0
}
