import { sumCents, toDollars } from '@tatami/contract/lib/money'
import { monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { AccountCharge, Balance } from '@tatami/contract/ledger/ledger'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
import { type Dues, monthDues } from './month-dues.ts'
import { oldestFirst } from '../ledger/oldest-first.ts'

/** A charge with something left to pay, in cents. The current month has no id yet. */
export type OwedCharge = Pick<AccountCharge, 'id' | 'kind' | 'month' | 'year' | 'charged_on'> & {
  owed: number
}

export type StudentDebt = {
  /** What is owed after credit has paid its part, the oldest charge first. */
  charges: OwedCharge[]
  /** What is left of the credit after it has paid what is owed. */
  credit: number
  /** All credit that the ledger has not used yet. */
  unusedCredit: number
}

export const NO_DEBT: StudentDebt = { charges: [], credit: 0, unusedCredit: 0 }

type DebtRow = { student_id: string; charges: OwedCharge[]; credit: number }

const whereStudents = (studentIds: readonly string[] | undefined, column: SQL): SQL =>
  studentIds ? sql`${column} = any(${sql.param(studentIds)})` : sql`${column} is not null`

/** `moved` is what `credit` lines moved to the student's credit, less what credit has paid. */
const findDebts = (studentIds: readonly string[] | undefined) => sql`
  select l.student_id, (coalesce(sum(l.moved), 0)
      - coalesce(sum(l.cents) filter (where l.charge_id is null), 0))::float8 as credit,
    coalesce(json_agg(json_build_object('id', c.id, 'kind', c.kind, 'month', c.month,
      'year', c.year, 'charged_on', c.charged_on, 'owed', l.cents))
      filter (where c.id is not null), '[]') as charges
  from (
    select student_id, charge_id, sum(amount) as cents,
      sum(amount) filter (where kind = 'credit') as moved
    from ${ledgerLines} where ${whereStudents(studentIds, sql`student_id`)}
    group by student_id, charge_id
  ) l left join ${charges} c on c.id = l.charge_id and l.cents <> 0
  where l.cents <> 0 or l.moved <> 0
  group by l.student_id`

export type CurrentPrice = { cents: number; reason: string | null; since: string }
type CurrentPrices = ReadonlyMap<string, CurrentPrice>

/** What is owed of the current month, as long as it is not charged. */
export async function currentPrices(
  tx: Tx,
  dojoId: string,
  today: string,
  studentIds?: readonly string[],
): Promise<CurrentPrices> {
  return unchargedPrices(await monthDues(tx, dojoId, monthOfDate(today), studentIds))
}

/** What is owed of the current month, as its dues say. */
export const unchargedPrices = (dues: Dues): CurrentPrices =>
  new Map(
    [...dues]
      .filter(([, { isCharged, owed }]) => !isCharged && owed > 0)
      .map(([id, { owed, reason, since }]) => [id, { cents: owed, reason, since }]),
  )

/** Lets unused credit pay the charges, the oldest first and the current month last. */
function debtAfterCredit(owedCharges: readonly OwedCharge[], unusedCredit: number): StudentDebt {
  const payingOrder = ({ id }: OwedCharge) => (id === null ? 1 : 0)
  let credit = unusedCredit
  const unpaidCharges = owedCharges
    .toSorted((a, b) => payingOrder(a) - payingOrder(b) || oldestFirst(a, b))
    .map((charge) => {
      const coveredCents = Math.min(credit, charge.owed)
      credit -= coveredCents
      return { ...charge, owed: charge.owed - coveredCents }
    })
    .filter(({ owed }) => owed > 0)
  return { charges: unpaidCharges.toSorted(oldestFirst), credit, unusedCredit }
}

/** For all charges and the current month. Every screen and text uses this, so they agree. */
export async function debtsOf(
  tx: Tx,
  dojoId: string,
  studentIds?: readonly string[],
): Promise<Map<string, StudentDebt>> {
  const today = await todayOf(tx, dojoId)
  const prices = await currentPrices(tx, dojoId, today, studentIds)
  return debtsWithPrices(tx, today, prices, studentIds)
}

/** Like `debtsOf`, with the prices of the current month. */
export async function debtsWithPrices(
  tx: Tx,
  today: string,
  prices: CurrentPrices,
  studentIds?: readonly string[],
): Promise<Map<string, StudentDebt>> {
  const { rows } = await tx.execute<DebtRow>(findDebts(studentIds))
  const chargesByStudent = new Map(rows.map((row) => [row.student_id, row.charges]))
  for (const [id, { cents, since }] of prices) {
    const month = { kind: 'month' as const, ...monthOfDate(today), charged_on: since }
    const storedCharges = chargesByStudent.get(id) ?? []
    chargesByStudent.set(id, [...storedCharges, { id: null, ...month, owed: cents }])
  }
  const credits = new Map(rows.map(({ student_id, credit }) => [student_id, credit]))
  return new Map(
    [...chargesByStudent].map(([id, owedCharges]) => [
      id,
      debtAfterCredit(owedCharges, credits.get(id) ?? 0),
    ]),
  )
}

export const owedCents = ({ charges: owedCharges }: StudentDebt): number =>
  sumCents(owedCharges.map(({ owed }) => owed))

export async function balancesOf(
  tx: Tx,
  dojoId: string,
  studentIds?: readonly string[],
): Promise<Balance[]> {
  const debts = await debtsOf(tx, dojoId, studentIds)
  return [...debts].flatMap(([student_id, debt]) => {
    const balance = { owed: toDollars(owedCents(debt)), credit: toDollars(debt.credit) }
    if (balance.owed === 0 && balance.credit === 0) return []
    return [{ student_id, ...balance, owed_since: debt.charges[0]?.charged_on ?? null }]
  })
}

export async function owedAmounts(tx: Tx, dojoId: string): Promise<Map<string, number>> {
  const balances = (await balancesOf(tx, dojoId)).filter(({ owed }) => owed > 0)
  return new Map(balances.map(({ student_id, owed }) => [student_id, owed]))
}
