import type { Tx } from '../db/database.ts'
import { type Act, insertLines, type NewLine } from './ledger.ts'
import { type RecordsByMonth, refreshRecords } from './records.ts'

/**
 * Every change of the ledger goes through here. Also adds the lines that follow, and returns all
 * lines and the changed records.
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
