import { type SQL, sql } from 'drizzle-orm'

/**
 * Whether a person has to look at a payment. A payment that was made twice needs nobody anymore once
 * its credit has paid something else. Credit of deleted students can still be refunded as a sum.
 * `payment` is the table `online_payments` in a query, or its alias.
 */
export const needsReview = (payment: SQL): SQL => sql`(${payment}.review_reason is not null
  and (${payment}.review_reason <> 'paid_twice' or exists (
    select from online_payment_lines paid
    where paid.payment_id = ${payment}.id and (paid.student_id is null or (
      select coalesce(sum(l.amount) filter (where l.kind = 'credit'), 0)
        - coalesce(sum(l.amount) filter (where l.charge_id is null), 0)
      from ledger_lines l where l.student_id = paid.student_id) > 0))))`
