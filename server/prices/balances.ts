import type { AccountCharge, Balance } from '@tatami/contract/ledger'
import { monthOfDate } from '@tatami/contract/month'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { charges, ledgerLines } from '../payments/tables.ts'
import { monthDues } from './month-dues.ts'

/** A charge with something left to pay, in cents. The month in progress has no id until it is charged. */
type OwedCharge = Pick<AccountCharge, 'id' | 'kind' | 'month' | 'year' | 'charged_on'> & {
  owed: number
}
/** What a student owes, the oldest first, and has as credit, in cents. */
export type StudentDebt = { charges: OwedCharge[]; credit: number }

type DebtRow = StudentDebt & { student_id: string }

const whereStudents = (studentIds: readonly string[] | undefined, column: SQL): SQL =>
  studentIds ? sql`${column} = any(${sql.param(studentIds)})` : sql`${column} is not null`

/** Reads the lines of each student once. Students who owe nothing and have no credit are left out. */
const findDebts = (studentIds: readonly string[] | undefined) => sql`
  select l.student_id,
      (coalesce(sum(l.moved), 0) - coalesce(sum(l.cents) filter (where l.charge_id is null), 0))::float8 as credit,
      coalesce(json_agg(json_build_object('id', c.id, 'kind', c.kind, 'month', c.month, 'year', c.year,
        'charged_on', c.charged_on, 'owed', l.cents)) filter (where c.id is not null), '[]') as charges
    from (
      select student_id, charge_id, sum(amount) as cents, sum(amount) filter (where kind = 'credit') as moved
        from ${ledgerLines} where ${whereStudents(studentIds, sql`student_id`)} group by student_id, charge_id
    ) l left join ${charges} c on c.id = l.charge_id and l.cents <> 0
    where l.cents <> 0 or l.moved <> 0
    group by l.student_id`

/** Those who are asked for the month in progress and have no charge of it yet, with its price. */
export async function pricesInProgress(
  tx: Tx,
  dojoId: string,
  today: string,
  studentIds?: readonly string[],
): Promise<Map<string, { cents: number; reason: string | null; since: string }>> {
  const dues = [...(await monthDues(tx, dojoId, monthOfDate(today), studentIds))]
  return new Map(
    dues
      .filter(([, { isCharged, owed }]) => !isCharged && owed > 0)
      .map(([id, { owed, reason, since }]) => [id, { cents: owed, reason, since }]),
  )
}

type Aged = Pick<OwedCharge, 'id' | 'kind' | 'charged_on'>

/** Oldest first; of one day the month. */
export function oldestFirst(a: Aged, b: Aged): number {
  if (a.charged_on !== b.charged_on) return a.charged_on < b.charged_on ? -1 : 1
  const isMonth = ({ kind }: Aged) => (kind === 'month' ? 0 : 1)
  return isMonth(a) - isMonth(b) || ((a.id ?? '') < (b.id ?? '') ? -1 : 1)
}

/**
 * What students owe over all charges and the month in progress: the one answer for the list of who owes, balances,
 * accounts, texts and a guardian's home. Of these students or of all.
 */
export async function debtsOf(
  tx: Tx,
  dojoId: string,
  studentIds?: readonly string[],
): Promise<Map<string, StudentDebt>> {
  const today = await todayOf(tx, dojoId)
  const { rows } = await tx.execute<DebtRow>(findDebts(studentIds))
  const debts = new Map<string, StudentDebt>(
    rows.map(({ student_id, ...debt }) => [student_id, debt]),
  )
  for (const [id, { cents, since }] of await pricesInProgress(tx, dojoId, today, studentIds)) {
    const debt = debts.get(id) ?? { charges: [], credit: 0 }
    const month = { id: null, kind: 'month' as const, ...monthOfDate(today), charged_on: since }
    debts.set(id, { ...debt, charges: [...debt.charges, { ...month, owed: cents }] })
  }
  for (const debt of debts.values()) debt.charges.sort(oldestFirst)
  return debts
}

/** What is owed in all, in cents. */
export const owedCents = ({ charges: owedCharges }: StudentDebt): number =>
  owedCharges.reduce((sum, { owed }) => sum + owed, 0)

/** What everybody who owes or has credit owes, since when, and has: of these students or of all. */
export async function balancesOf(
  tx: Tx,
  dojoId: string,
  studentIds?: readonly string[],
): Promise<Balance[]> {
  const debts = await debtsOf(tx, dojoId, studentIds)
  return [...debts].flatMap(([student_id, debt]) => {
    const owed = owedCents(debt)
    if (owed === 0 && debt.credit === 0) return []
    const oldest = debt.charges.find((charge) => charge.owed > 0)
    const owed_since = oldest?.charged_on ?? null
    return [{ student_id, owed: owed / 100, credit: debt.credit / 100, owed_since }]
  })
}

/** What each student owes over all charges and the month in progress, in dollars; only of those who owe something. */
export async function owedAmounts(tx: Tx, dojoId: string): Promise<Map<string, number>> {
  const balances = (await balancesOf(tx, dojoId)).filter(({ owed }) => owed > 0)
  return new Map(balances.map(({ student_id, owed }) => [student_id, owed]))
}
