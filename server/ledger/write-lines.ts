import type { Tx } from '../db/database.ts'
import { type Act, insertLines, type NewLine } from './ledger.ts'
import { refreshRecords } from './records.ts'

/**
 * Adds the lines of an act to the ledger, then the lines that follow from them, and writes the payment
 * records of all their months. Every act ends here, so records never differ from the ledger.
 * Returns all lines that were added.
 */
export async function writeLines(
  tx: Tx,
  act: Act,
  lines: NewLine[],
  findFollowingLines?: () => Promise<NewLine[]>,
): Promise<NewLine[]> {
  await insertLines(tx, act, lines)
  const followingLines = (await findFollowingLines?.()) ?? []
  await insertLines(tx, act, followingLines)
  const allLines = [...lines, ...followingLines]
  await refreshRecords(tx, allLines)
  return allLines
}
