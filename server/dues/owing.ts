import { sumDollars, toDollars } from '@tatami/contract/lib/money'
import type { OwingFamily } from '@tatami/contract/dues/owing'
import { eq, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { candidates, gradings } from '../gradings/tables.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { paymentPromises } from '../ledger/tables.ts'
import { pick } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { debtsOf, owedCents } from './balances.ts'

type PromiseRow = { id: string; promised_on: string; note: string | null; created_at: string }
type OwingRow = {
  id: string
  name: string
  left_on: string | null
  payer: { id: string; name: string } | null
  promise: PromiseRow | null
}
type OwingStudent = OwingRow & {
  owed: number
  since: string
  charges: OwingFamily['charges']
}

/** Families that owe money: the longest owed first, then the largest debts. */
export async function owingFamilies(tx: Tx, dojoId: string): Promise<OwingFamily[]> {
  const debts = await debtsOf(tx, dojoId)
  const testDays = await findTestDays(tx)
  const { rows } = await tx.execute<OwingRow>(sql`
    select s.id, s.name, s.left_on::text,
      case when g.id is not null then json_build_object('id', g.id, 'name', g.name) end as payer,
      case when p.id is not null then json_build_object('id', p.id, 'promised_on', p.promised_on,
        'note', p.note, 'created_at', p.created_at) end as promise
    from ${students} s
    left join ${guardianships} l on l.student_id = s.id and l.pays and l.ended_at is null
    left join ${guardians} g on g.id = l.guardian_id
    left join ${paymentPromises} p on p.student_id = s.id and p.ended_at is null
    where s.id = any(${sql.param([...debts.keys()])}) order by lower(s.name), s.id`)
  const owingStudents = rows.flatMap((row): OwingStudent[] => {
    const debt = debts.get(row.id)
    const oldestDay = debt?.charges[0]?.charged_on
    if (!debt || oldestDay === undefined) return []
    const charges = debt.charges.map(({ id, charged_on, owed }) => {
      const testDay = testDays.get(id ?? '') ?? charged_on
      return { due_on: testDay > charged_on ? testDay : charged_on, owed: toDollars(owed) }
    })
    return [{ ...row, owed: toDollars(owedCents(debt)), since: oldestDay, charges }]
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

/** The day of the test by the id of the charge for it. */
async function findTestDays(tx: Tx): Promise<Map<string | null, string>> {
  const rows = await tx
    .select({ chargeId: candidates.charge_id, day: gradings.held_on })
    .from(candidates)
    .innerJoin(gradings, eq(gradings.id, candidates.grading_id))
    .where(isNotNull(candidates.charge_id))
  return new Map(rows.map(({ chargeId, day }) => [chargeId, day]))
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
    charges: family
      .flatMap(({ charges }) => charges)
      .toSorted((a, b) => compareTexts(a.due_on, b.due_on)),
    promise: newestPromise ?? null,
  }
}

const compareTexts = (a: string, b: string) => {
  if (a === b) return 0
  return a < b ? -1 : 1
}
const sortName = ({ payer, students: [student] }: OwingFamily) =>
  (payer?.name ?? student?.name ?? '').toLowerCase()
