import { sumDollars } from '@tatami/contract/lib/money'
import type { OwingFamily } from '@tatami/contract/dues/owing'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { paymentPromises } from '../ledger/tables.ts'
import { pick } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { balancesOf } from './balances.ts'

type PromiseRow = { id: string; promised_on: string; note: string | null; created_at: string }
type OwingRow = {
  id: string
  name: string
  left_on: string | null
  payer: { id: string; name: string } | null
  promise: PromiseRow | null
}
type OwingStudent = OwingRow & { owed: number; since: string }

/** Families that owe money: the longest owed first, then the largest debts. */
export async function owingFamilies(tx: Tx, dojoId: string): Promise<OwingFamily[]> {
  const balances = await balancesOf(tx, dojoId)
  const balanceById = new Map(balances.map((balance) => [balance.student_id, balance]))
  const { rows } = await tx.execute<OwingRow>(sql`
    select s.id, s.name, s.left_on::text,
      case when g.id is not null then json_build_object('id', g.id, 'name', g.name) end as payer,
      case when p.id is not null then json_build_object('id', p.id, 'promised_on', p.promised_on,
        'note', p.note, 'created_at', p.created_at) end as promise
    from ${students} s
    left join ${guardianships} l on l.student_id = s.id and l.pays and l.ended_at is null
    left join ${guardians} g on g.id = l.guardian_id
    left join ${paymentPromises} p on p.student_id = s.id and p.ended_at is null
    where s.id = any(${sql.param([...balanceById.keys()])}) order by lower(s.name), s.id`)
  const owingStudents = rows.flatMap((row): OwingStudent[] => {
    const { owed = 0, owed_since = null } = balanceById.get(row.id) ?? {}
    return owed > 0 && owed_since !== null ? [{ ...row, owed, since: owed_since }] : []
  })
  return [...Map.groupBy(owingStudents, ({ id, payer }) => payer?.id ?? id).values()]
    .map(toOwingFamily)
    .toSorted(
      (a, b) =>
        compareTexts(a.since, b.since) ||
        b.total - a.total ||
        compareTexts(sortName(a), sortName(b)),
    )
}

function toOwingFamily(family: OwingStudent[]): OwingFamily {
  const [newestPromise] = family
    .flatMap(({ promise }) => promise ?? [])
    .toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
  return {
    payer: family[0]?.payer ?? null,
    students: family.map(({ id, ...student }) => ({
      student_id: id,
      ...pick(student, 'name', 'owed', 'since', 'left_on'),
    })),
    total: sumDollars(family.map(({ owed }) => owed)),
    since: family.map(({ since }) => since).reduce((a, b) => (a < b ? a : b)),
    promise: newestPromise ?? null,
  }
}

const compareTexts = (a: string, b: string) => {
  if (a === b) return 0
  return a < b ? -1 : 1
}
const sortName = ({ payer, students: [student] }: OwingFamily) =>
  (payer?.name ?? student?.name ?? '').toLowerCase()
