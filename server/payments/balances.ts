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

const of = (studentIds: string[] | undefined, column: SQL): SQL =>
  studentIds ? sql`${column} = any(${sql.param(studentIds)})` : sql`${column} is not null`

/** What the lines of each student add up to, in cents, read once; who owes nothing and has no credit is left out. */
const findSums = (studentIds: string[] | undefined) => sql`
  select l.student_id, coalesce(sum(l.cents) filter (where l.charge_id is not null), 0)::float8 as owed,
      (coalesce(sum(l.moved), 0) - coalesce(sum(l.cents) filter (where l.charge_id is null), 0))::float8 as credit,
      min(c.charged_on) filter (where l.cents > 0)::text as owed_since
    from (
      select student_id, charge_id, sum(amount) as cents, sum(amount) filter (where kind = 'credit') as moved
        from ${ledgerLines} where ${of(studentIds, sql`student_id`)} group by student_id, charge_id
    ) l left join ${charges} c on c.id = l.charge_id and l.cents > 0
    where l.cents <> 0 or l.moved <> 0
    group by l.student_id`

/** Those who are to pay the month in progress and have no charge of it yet, with its price. */
export async function pricesInProgress(
  tx: Tx,
  dojoId: string,
  today: string,
  studentIds?: string[],
): Promise<Map<string, Price>> {
  const month = monthOfDate(today)
  const {
    id,
    is_trial,
    awaits_approval,
    on_vacation,
    vacation_from,
    vacation_until,
    created_at,
    monthly_payment_amount,
  } = students
  const isMade = sql`exists (select from ${charges} c where c.dojo_id = ${students.dojo_id} and c.student_id = ${students.id} and c.kind = 'month'
    and c.year = ${month.year} and c.month = ${month.month}
    and (select sum(l.amount) from ${ledgerLines} l where l.dojo_id = c.dojo_id and l.charge_id = c.id and l.kind = 'charge') > 0)`
  const paying: LockedStudent[] = await tx
    .select({
      id,
      is_trial,
      awaits_approval,
      on_vacation,
      vacation_from,
      vacation_until,
      created_at,
      monthly_payment_amount,
    })
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
  const prices = paying
    .filter((student) => paysToday(student, today))
    .map((student) => [student.id, priceOf(student, month)] as const)
  return new Map(prices.filter(([, { cents }]) => cents > 0))
}

/** What everybody who owes or has credit owes, since when, and has: of these students or of all. */
export async function balancesOf(
  tx: Tx,
  dojoId: string,
  studentIds?: string[],
): Promise<Balance[]> {
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

/** What each student owes over all charges and the month in progress, in dollars; only of those who owe something. */
export async function owedAmounts(tx: Tx, dojoId: string): Promise<Map<string, number>> {
  return new Map(
    (await balancesOf(tx, dojoId)).flatMap(({ student_id, owed }) =>
      owed > 0 ? [[student_id, owed] as const] : [],
    ),
  )
}
