import type { ChargeKind, PaymentMethod } from '@tatami/contract/ledger/ledger'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
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
  /** False if the payment was undone. True again if the undo was undone. */
  isInEffect: boolean
  receipt_id: string | null
}

/** A family is all students with the same payer, or a student without a payer. */
export const groupByPayer = (lines: PaymentLine[]): PaymentLine[][] => [
  ...Map.groupBy(lines, ({ payer_id, student_id }) => payer_id ?? student_id).values(),
]

/** Locks an act's students until the commit, so other requests cannot change their lines. */
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

/** Follows each payment to its undo, the undo of the undo and so on. A payment is in effect if the
 *  number of undos is even. */
async function readLinesWhere(tx: Tx, condition: SQL): Promise<PaymentLine[]> {
  const { rows } = await tx.execute<PaymentLine>(sql`
    with recursive chain as (
      select id as first, id, 0 as depth from ${ledgerLines}
        where ${condition} and kind = 'payment' and reverses is null and amount < 0
      union all
      select chain.first, l.id, chain.depth + 1
        from chain join ${ledgerLines} l on l.reverses = chain.id
    ), payments as (
      select first as id, max(depth) % 2 = 0 as is_in_effect from chain group by first
    )
    select l.id, l.act_id, l.student_id, s.name as student_name, g.id as payer_id,
      coalesce(g.name, s.name) as payer_name,
      coalesce(gs.since <= l.created_at, false) and not exists (
        select from ${guardianships} o
        where o.student_id = l.student_id and o.guardian_id <> gs.guardian_id
      ) as is_sole_guardian,
      c.kind, c.year, c.month, c.note, -l.amount as cents,
      -l.tax as "taxCents", l.tax_percent::float8,
      l.method, l.made_on::text as received_on, p.is_in_effect as "isInEffect", r.receipt_id
    from payments p
      join ${ledgerLines} l on l.id = p.id
      join ${students} s on s.id = l.student_id
      left join ${charges} c on c.id = l.charge_id
      left join ${guardianships} gs
        on gs.student_id = l.student_id and gs.pays and gs.ended_at is null
      left join ${guardians} g on g.id = gs.guardian_id
      left join ${receiptLines} r on r.ledger_line_id = l.id
    order by lower(s.name), s.id, c.charged_on nulls last, l.id`)
  return rows
}
