import { chargeName } from '@tatami/contract/ledger/charge-words'
import type { BeltTestLabels } from '@tatami/contract/dojos/belt-test'
import type { ChargeKind } from '@tatami/contract/ledger/ledger'
import { monthOfDate } from '@tatami/contract/lib/calendar-day'
import { firstName } from '@tatami/contract/lib/name-parts'
import { asc } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels } from '../dojos/dojos.ts'
import { debtsOf, type OwedCharge, owedCents } from '../dues/balances.ts'
import { pick } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { findStudentsOfPayers, type PayerPerson, studentsOfPayer } from './payers.ts'

export type OwedLine = {
  student_id: string
  /** Null for the current month, which is not charged yet. */
  charge_id: string | null
  /** "2026-3" for April 2026, or the id of another charge. */
  pays_for: string
  /** "Leo: April 2026". Anybody with the link reads it, and so does Stripe. */
  name: string
  cents: number
}

type NamedCharge = Pick<OwedCharge, 'kind' | 'month' | 'year' | 'charged_on'>

const KINDS_WITH_MONTH: readonly ChargeKind[] = ['plan', 'pack', 'drop_in']

/** The kind of the charge and its month. A note may be private, so it is left out. */
export function nameForPayer(charge: NamedCharge, beltTest: BeltTestLabels): string {
  const { kind, charged_on } = charge
  const month = KINDS_WITH_MONTH.includes(kind) ? monthOfDate(charged_on) : {}
  return chargeName({ ...charge, ...month, note: null }, beltTest)
}

/** What the payer owes right now, after credit, the oldest charges of each student first. */
export async function readOwedLines(
  tx: Tx,
  dojoId: string,
  payer: PayerPerson,
): Promise<OwedLine[]> {
  const studentIds = await studentsOfPayer(tx, payer)
  if (studentIds.length === 0) return []
  const debts = await debtsOf(tx, dojoId, studentIds)
  const beltTest = await readBeltTestLabels(tx)
  const studentRows = await tx
    .select(pick(students, 'id', 'name'))
    .from(students)
    .where(equalsAny(students.id, studentIds))
    .orderBy(asc(students.name), asc(students.id))
  return studentRows.flatMap(({ id, name }) =>
    (debts.get(id)?.charges ?? []).map((charge): OwedLine => {
      const isMonth = charge.kind === 'month'
      return {
        student_id: id,
        charge_id: charge.id,
        pays_for: isMonth ? `${charge.year}-${charge.month}` : (charge.id ?? ''),
        name: `${firstName(name)}: ${nameForPayer(charge, beltTest)}`,
        cents: charge.owed,
      }
    }),
  )
}

/** What each of many payers owes after credit, in cents, by the id of the payer. */
export async function readOwedCents(
  tx: Tx,
  dojoId: string,
  payerIds: string[],
): Promise<Map<string, number>> {
  const payerOfStudent = await findStudentsOfPayers(tx, payerIds)
  const debts = await debtsOf(tx, dojoId, [...payerOfStudent.keys()])
  const centsByPayer = new Map<string, number>()
  for (const [studentId, debt] of debts) {
    const payerId = payerOfStudent.get(studentId)
    if (payerId === undefined) continue
    centsByPayer.set(payerId, (centsByPayer.get(payerId) ?? 0) + owedCents(debt))
  }
  return centsByPayer
}
