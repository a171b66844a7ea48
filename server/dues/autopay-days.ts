import { debitDayIn } from '@tatami/contract/online-payment/debit-days'
import type { Month } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { guardianships } from '../guardians/tables.ts'
import { autopayAgreements, savedMethods } from '../online-payment/autopay/tables.ts'
import { onlinePayers } from '../online-payment/tables.ts'
import { students } from '../students/tables.ts'

/** The students whose payers have chosen a day of the month for autopay that is not over yet, so
 *  that their fee is not late. */
export async function findStudentsBeforeAutopay(
  tx: Tx,
  month: Month,
  today: string,
): Promise<string[]> {
  const { rows } = await tx.execute<{ student_id: string; day_of_month: number }>(sql`
    select s.id as student_id, a.day_of_month
    from ${autopayAgreements} a
    join ${onlinePayers} y on y.id = a.payer_id
    join ${students} s on coalesce(
      (select l.guardian_id from ${guardianships} l
        where l.student_id = s.id and l.pays and l.ended_at is null),
      s.id) = coalesce(y.guardian_id, y.student_id)
    where a.ended_at is null
      and (a.covers_new_students or s.id = any(a.student_ids))
      and exists (select from ${savedMethods} m
        where m.payer_id = y.id and m.stopped_at is null and m.is_live = y.customer_is_live)`)
  return rows
    .filter(({ day_of_month }) => debitDayIn(month, day_of_month) >= today)
    .map(({ student_id }) => student_id)
}
