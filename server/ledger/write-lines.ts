import type { Tx } from '../db/database.ts'
import { type Act, insertLines, type NewLine } from './ledger.ts'
import { withSalesTax } from './line-taxes.ts'
import { refuseOwnFamily } from './own-family.ts'
import { type RecordsByMonth, refreshRecords, saveRecords, type StoredRecord } from './records.ts'

type Consequences = {
  findFollowingLines?: () => Promise<NewLine[]>
  /** Records of months marked unpaid, which need no line. */
  unpaidRecords?: StoredRecord[]
  /** False for debts from before the school used Tatami. */
  isTaxed?: boolean
}

/**
 * All changes of the ledger and the payment records go through here. Also writes the lines that
 * `findFollowingLines` then finds. Returns all lines and the changed records.
 */
export async function writeLines(
  tx: Tx,
  act: Act,
  lines: NewLine[],
  { findFollowingLines, unpaidRecords = [], isTaxed = true }: Consequences = {},
): Promise<{ lines: NewLine[]; records: RecordsByMonth }> {
  await refuseOwnFamily(tx, act.created_by, lines)
  await insertLines(tx, act, isTaxed ? await withSalesTax(tx, lines) : lines)
  const followingLines = (await findFollowingLines?.()) ?? []
  await insertLines(tx, act, await withSalesTax(tx, followingLines))
  const allLines = [...lines, ...followingLines]
  const refreshedRecords = await refreshRecords(tx, allLines)
  const savedRecords = await saveRecords(tx, unpaidRecords)
  return { lines: allLines, records: new Map([...refreshedRecords, ...savedRecords]) }
}
