import type { Tx } from '../db/database.ts'
import { type Act, insertLines, type NewLine } from './ledger.ts'
import { type RecordsByMonth, refreshRecords } from './records.ts'

/**
 * Adds the lines of an act and those that follow from them, and updates the payment records of
 * their months. Every change of the ledger goes through here. Returns the added lines and changed
 * records.
 */
export async function writeLines(
  tx: Tx,
  act: Act,
  lines: NewLine[],
  findFollowingLines?: () => Promise<NewLine[]>,
): Promise<{ lines: NewLine[]; records: RecordsByMonth }> {
  await insertLines(tx, act, lines)
  const followingLines = (await findFollowingLines?.()) ?? []
  await insertLines(tx, act, followingLines)
  const allLines = [...lines, ...followingLines]
  return { lines: allLines, records: await refreshRecords(tx, allLines) }
}
