import { toCents } from '@tatami/contract/lib/money'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import type { NewLine } from '../ledger/ledger.ts'
import { charges } from '../ledger/tables.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { newAct } from './new-act.ts'

/** In dollars: above 0 the student owes it, below 0 it is credit. */
export type OpeningBalance = { student_id: string; balance: number }

const NOTE = 'Balance brought forward'

/**
 * Records what new students owed, or had paid ahead, before the school used Tatami. A debt is due
 * today. Credit counts neither as revenue nor as a payment of this month. Each student gets an act
 * of their own, so that one can be undone without the others. Returns the ids of the acts.
 */
export async function writeOpeningBalances(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  balances: readonly OpeningBalance[],
): Promise<string[]> {
  const actIds: string[] = []
  for (const { student_id, balance } of balances) {
    const act = await newAct(tx, caller, { note: NOTE })
    const charge_id = balance > 0 ? await addCharge(tx, student_id, act.made_on) : null
    const line: NewLine = { student_id, charge_id, kind: 'charge', cents: toCents(balance) }
    await writeLines(tx, act, [line], { isTaxed: false })
    actIds.push(act.id)
  }
  return actIds
}

async function addCharge(tx: Tx, student_id: string, charged_on: string): Promise<string> {
  const id = newId()
  await tx.insert(charges).values({ id, student_id, kind: 'other', note: NOTE, charged_on })
  return id
}
