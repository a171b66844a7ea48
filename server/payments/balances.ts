import type { Balance } from '@tatami/contract/ledger'
import { firstDayOf, monthOfDate } from '@tatami/contract/month'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { equalsAny } from '../db/bulk.ts'
import { students } from '../students/tables.ts'
import { type Price, paysToday, pricesIn } from './charges.ts'
import type { LockedStudent } from './ledger.ts'
import { charges, ledgerLines, unpaidIn } from './tables.ts'

type Sums = { student_id: string; owed: number; credit: number; owed_since: string | null }

const of = (studentIds: string[] | undefined, column: SQL): SQL => (studentIds ? sql`${column} = any(${sql.param(studentIds)})` : sql`true`)

/** What the lines of each student add up to, in cents; of who owes something the oldest day. Who owes nothing and has no credit is left out. */
const findSums = (studentIds: string[] | undefined) => sql`
  with sums as (
    select student_id, coalesce(sum(amount) filter (where charge_id is not null), 0)::int as owed,
        (coalesce(sum(amount) filter (where kind = 'credit'), 0) - coalesce(sum(amount) filter (where charge_id is null), 0))::int as credit
      from ${ledgerLines} where ${of(studentIds, sql`student_id`)} group by student_id
  )
  select student_id, owed, credit, case when owed > 0 then (
      select min(c.charged_on) from (
          select l.charge_id from ${ledgerLines} l where l.student_id = sums.student_id group by l.charge_id having sum(l.amount) > 0
        ) o join ${charges} c on c.id = o.charge_id
    )::text end as owed_since
    from sums where owed <> 0 or credit <> 0`

/** Those who are to pay the month in progress and have no charge of it yet, with its price. */
export async function pricesInProgress(tx: Tx, dojoId: string, today: string, studentIds?: string[]): Promise<Map<string, Price>> {
  const month = monthOfDate(today)
  const { id, is_trial, awaits_approval, on_vacation, vacation_from, vacation_until, created_at, monthly_payment_amount } = students
  const isMade = sql`exists (select from ${charges} c where c.dojo_id = ${students.dojo_id} and c.student_id = ${students.id} and c.kind = 'month'
    and c.year = ${month.year} and c.month = ${month.month}
    and (select sum(l.amount) from ${ledgerLines} l where l.dojo_id = c.dojo_id and l.charge_id = c.id and l.kind = 'charge') > 0)`
  const paying: LockedStudent[] = await tx
    .select({ id, is_trial, awaits_approval, on_vacation, vacation_from, vacation_until, created_at, monthly_payment_amount })
    .from(students)
    .where(
      and(
        eq(is_trial, false),
        eq(awaits_approval, false),
        sql`${monthly_payment_amount} > 0`,
        unpaidIn(month),
        sql`not ${isMade}`,
        studentIds && equalsAny(id, studentIds),
      ),
    )
  const priceOf = await pricesIn(tx, dojoId, [month])
  const prices = paying.filter((student) => paysToday(student, today)).map((student) => [student.id, priceOf(student, month)] as const)
  return new Map(prices.filter(([, { cents }]) => cents > 0))
}

/** What everybody who owes or has credit owes, since when, and has: of these students or of all. */
export async function balancesOf(tx: Tx, dojoId: string, studentIds?: string[]): Promise<Balance[]> {
  const today = await todayOf(tx, dojoId)
  const { rows } = await tx.execute<Sums>(findSums(studentIds))
  const inProgress = await pricesInProgress(tx, dojoId, today, studentIds)
  const sums = new Map(rows.map((row) => [row.student_id, row]))
  const first = firstDayOf(monthOfDate(today))
  return [...new Set([...sums.keys(), ...inProgress.keys()])].flatMap((student_id) => {
    const { owed = 0, credit = 0, owed_since = null } = sums.get(student_id) ?? {}
    const live = inProgress.get(student_id)?.cents ?? 0
    const since = live > 0 && (owed_since === null || first < owed_since) ? first : owed_since
    if (owed + live === 0 && credit === 0) return []
    return [{ student_id, owed: (owed + live) / 100, credit: credit / 100, owed_since: since }]
  })
}
