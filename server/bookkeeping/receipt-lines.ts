import type { ChargeKind, PaymentMethod } from '@tatami/contract/ledger/ledger'
import { type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
import { pick } from '../lib/rows.ts'
import { findBasePlans, planMonthOf } from '../plans/plans.ts'
import { students } from '../students/tables.ts'
import { receiptLines } from './tables.ts'

export type PaymentLine = {
  id: string
  act_id: string
  student_id: string
  student_name: string
  payer_id: string | null
  payer_name: string
  /** True if the payer was already the student's only guardian at the time of the payment. */
  is_sole_guardian: boolean
  kind: ChargeKind | null
  year: number | null
  month: number | null
  note: string | null
  cents: number
  taxCents: number | null
  tax_percent: number | null
  method: PaymentMethod | null
  received_on: string
  /** False if the payment was undone, but true if this undo was undone too. */
  isInEffect: boolean
  receipt_id: string | null
}

/** A family is all students with the same payer, or a student without a payer. */
export const groupByPayer = (lines: PaymentLine[]): PaymentLine[][] => [
  ...Map.groupBy(lines, ({ payer_id, student_id }) => payer_id ?? student_id).values(),
]

/** Locks the students of an act until the commit, so that no other request changes their lines. */
export const lockStudents = (tx: Tx, actId: string) =>
  tx.execute(sql`
    select id from ${students}
    where id = any(array(select student_id from ${ledgerLines} where act_id = ${actId}))
    order by id for no key update`)

/** Reads the payments of an act. */
export const readPaymentLines = (tx: Tx, actId: string) =>
  readLinesWhere(tx, sql`act_id = ${actId}`)

/** Reads the payments that the students' accounts received in a year. */
export const readYearPayments = (tx: Tx, studentIds: string[], year: number) =>
  readLinesWhere(
    tx,
    sql`student_id = any(${sql.param(studentIds)})
      and made_on between ${`${year}-01-01`} and ${`${year}-12-31`}`,
  )

/** Follows each payment to its undo, to the undo of this undo, and so on. A payment is in effect if
 *  the number of undos is even. */
async function readLinesWhere(tx: Tx, condition: SQL): Promise<PaymentLine[]> {
  const { rows } = await tx.execute<PaymentLine>(sql`
    with recursive chain as (
      select id as first, id, 0 as depth from ${ledgerLines}
        where ${condition} and kind = 'payment' and reverses is null and amount < 0
      union all
      select chain.first, reversal.id, chain.depth + 1
        from chain join ${ledgerLines} reversal on reversal.reverses = chain.id
    ), payments as (
      select first as id, max(depth) % 2 = 0 as is_in_effect from chain group by first
    )
    select line.id, line.act_id, line.student_id, student.name as student_name,
      payer.id as payer_id, coalesce(payer.name, student.name) as payer_name,
      coalesce(link.since <= line.created_at, false) and not exists (
        select from ${guardianships} other_link
        where other_link.student_id = line.student_id
          and other_link.guardian_id <> link.guardian_id
      ) as is_sole_guardian,
      charge.kind, charge.year, charge.month, charge.note, -line.amount as cents,
      -line.tax as "taxCents", line.tax_percent::float8,
      line.method, line.made_on::text as received_on, payment.is_in_effect as "isInEffect",
      receipt_line.receipt_id
    from payments payment
      join ${ledgerLines} line on line.id = payment.id
      join ${students} student on student.id = line.student_id
      left join ${charges} charge on charge.id = line.charge_id
      left join ${guardianships} link
        on link.student_id = line.student_id and link.pays and link.ended_at is null
      left join ${guardians} payer on payer.id = link.guardian_id
      left join ${receiptLines} receipt_line on receipt_line.ledger_line_id = line.id
    order by lower(student.name), student.id, charge.charged_on nulls last, line.id`)
  return rows
}

/** Adds the name of the plan as the note of each month that a student with a plan pays. */
export async function withPlanNames(tx: Tx, lines: readonly PaymentLine[]): Promise<PaymentLine[]> {
  const studentIds = [...new Set(lines.map(({ student_id }) => student_id))]
  const rows = await tx
    .select(pick(students, 'id', 'has_subscription'))
    .from(students)
    .where(equalsAny(students.id, studentIds))
  const plansByStudent = await findBasePlans(tx, rows)
  return lines.map((line) => {
    const { kind, year, month, student_id } = line
    const basePlans = plansByStudent.get(student_id)
    if (kind !== 'month' || year === null || month === null || !basePlans) return line
    return { ...line, note: planMonthOf(basePlans, { year, month })?.name ?? null }
  })
}
