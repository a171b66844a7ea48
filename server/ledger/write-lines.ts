import type { Tx } from '../db/database.ts'
import { type Act, insertLines, type NewLine } from './ledger.ts'
import { type RecordsByMonth, refreshRecords, saveRecords, type StoredRecord } from './records.ts'

type Consequences = {
  findFollowingLines?: () => Promise<NewLine[]>
  /** Months marked unpaid: their records need not follow from a line. */
  unpaidRecords?: StoredRecord[]
}

/**
 * Every change of the ledger and of the payment records goes through here. Also adds the lines that
 * follow, and returns all lines and the changed records.
 */
export async function writeLines(
  tx: Tx,
  act: Act,
  lines: NewLine[],
  { findFollowingLines, unpaidRecords = [] }: Consequences = {},
): Promise<{ lines: NewLine[]; records: RecordsByMonth }> {
  await insertLines(tx, act, lines)
  const followingLines = (await findFollowingLines?.()) ?? []
  await insertLines(tx, act, followingLines)
  const allLines = [...lines, ...followingLines]
  const refreshedRecords = await refreshRecords(tx, allLines)
  const savedRecords = await saveRecords(tx, unpaidRecords)
  return { lines: allLines, records: new Map([...refreshedRecords, ...savedRecords]) }
}
