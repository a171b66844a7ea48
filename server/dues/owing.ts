import { sumDollars } from '@tatami/contract/lib/money'
import type { OwingFamily } from '@tatami/contract/dues/owing'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { students } from '../students/tables.ts'
import { balancesOf } from './balances.ts'
import { paymentPromises } from '../ledger/tables.ts'

type Owing = {
  id: string
  name: string
  payer_id: string | null
  payer_name: string | null
  promise_id: string | null
  promised_on: string
  note: string | null
  said_at: Date | string
}

/** Who owes what since when: the students of one payer together, others by themselves; the oldest first, then the largest. */
export async function owingFamilies(tx: Tx, dojoId: string): Promise<OwingFamily[]> {
  const balances = new Map(
    (await balancesOf(tx, dojoId)).flatMap((one) =>
      one.owed > 0 ? [[one.student_id, one] as const] : [],
    ),
  )
  const { rows } = await tx.execute<Owing>(sql`
    select s.id, s.name, g.id as payer_id, g.name as payer_name, p.id as promise_id, p.promised_on::text, p.note, p.created_at as said_at
    from ${students} s
    left join ${guardianships} l on l.student_id = s.id and l.pays and l.ended_at is null
    left join ${guardians} g on g.id = l.guardian_id
    left join ${paymentPromises} p on p.student_id = s.id and p.ended_at is null
    where s.id = any(${sql.param([...balances.keys()])}) order by lower(s.name), s.id`)
  return [...Map.groupBy(rows, ({ id, payer_id }) => payer_id ?? id).values()]
    .map((family): OwingFamily => {
      const owing = family.map(({ id, name }) => {
        const { owed, owed_since } = balances.get(id)!
        return { student_id: id, name, owed, since: owed_since! }
      })
      const [{ payer_id, payer_name }] = family as [Owing]
      return {
        payer: payer_id === null ? null : { id: payer_id, name: payer_name! },
        students: owing,
        total: sumDollars(owing.map(({ owed }) => owed)),
        since: owing.map(({ since }) => since).toSorted()[0]!,
        promise: newestPromise(family),
      }
    })
    .toSorted(
      (one, other) =>
        byText(one.since, other.since) ||
        other.total - one.total ||
        byText(nameOf(one), nameOf(other)),
    )
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const nameOf = ({ payer, students: [first] }: OwingFamily) =>
  (payer?.name ?? first!.name).toLowerCase()

function newestPromise(family: Owing[]): OwingFamily['promise'] {
  const [newest] = family
    .filter(({ promise_id }) => promise_id !== null)
    .toSorted((one, other) => new Date(other.said_at).getTime() - new Date(one.said_at).getTime())
  return newest
    ? { id: newest.promise_id!, promised_on: newest.promised_on, note: newest.note }
    : null
}
