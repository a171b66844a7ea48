import type { Balance } from '@tatami/contract/ledger'
import { monthOfDate } from '@tatami/contract/month'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { monthDues } from '../prices/month-dues.ts'
import { charges, ledgerLines } from './tables.ts'

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

/** Those who are asked for the month in progress and have no charge of it yet, with its price. */
export async function pricesInProgress(
  tx: Tx,
  dojoId: string,
  today: string,
  studentIds?: string[],
): Promise<Map<string, { cents: number; reason: string | null; since: string }>> {
  const dues = [...(await monthDues(tx, dojoId, monthOfDate(today), studentIds))]
  return new Map(
    dues
      .filter(([, { isCharged, owed }]) => !isCharged && owed > 0)
      .map(([id, { owed, reason, since }]) => [id, { cents: owed, reason, since }]),
  )
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
  return [...new Set([...sums.keys(), ...inProgress.keys()])].flatMap((student_id) => {
    const { owed = 0, credit = 0, owed_since = null } = sums.get(student_id) ?? {}
    const live = inProgress.get(student_id)
    const total = owed + (live?.cents ?? 0)
    if (total === 0 && credit === 0) return []
    const [since = null] = [owed_since, live?.since ?? null]
      .filter((day) => day !== null)
      .toSorted()
    return [{ student_id, owed: total / 100, credit: credit / 100, owed_since: since }]
  })
}

/** What each student owes over all charges and the month in progress, in dollars; only of those who owe something. */
export async function owedAmounts(tx: Tx, dojoId: string): Promise<Map<string, number>> {
  const balances = (await balancesOf(tx, dojoId)).filter(({ owed }) => owed > 0)
  return new Map(balances.map(({ student_id, owed }) => [student_id, owed]))
}
