import type { ChargeKind, LineKind, PaymentMethod } from '@tatami/contract/ledger/ledger'
import { newId } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'

type LineFields = {
  student_id: string
  charge_id?: string
  kind: LineKind
  amount: number
  method?: PaymentMethod
  made_on?: string
  reverses?: string
  created_by?: string
}

/** Returns functions that add ledger rows which no call adds: on past days, or for several families
 *  in one act. */
export function ledgerRowFixtures(db: Database, dojoId: string) {
  const addAct = async (lines: LineFields[]) => {
    const act_id = newId()
    const rows = lines.map((line) => ({ made_on: '2026-03-05', ...line, id: newId(), act_id }))
    await db.inDojo(dojoId, (tx) => tx.insert(ledgerLines).values(rows))
    return { act_id, ids: rows.map(({ id }) => id) }
  }
  const addCharge = async (
    student_id: string,
    amount: number,
    month = '2026-03-01',
    kind: ChargeKind = 'month',
    note?: string,
  ) => {
    const id = newId()
    const isForMonth = kind === 'month' || kind === 'late_fee'
    const year = Number(month.slice(0, 4))
    const monthOfYear = Number(month.slice(5, 7)) - 1
    await db.inDojo(dojoId, (tx) =>
      tx.insert(charges).values({
        id,
        student_id,
        kind,
        charged_on: month,
        note,
        ...(isForMonth && { year, month: monthOfYear }),
      }),
    )
    await addAct([{ student_id, charge_id: id, kind: 'charge', amount, made_on: month }])
    return id
  }
  const undoLines = (lines: (LineFields & { id: string })[], made_on: string) =>
    addAct(
      lines.map(({ id, ...line }) => ({ ...line, amount: -line.amount, reverses: id, made_on })),
    )
  return { addAct, addCharge, undoLines }
}
