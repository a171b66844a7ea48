import type { PromotionResult } from '@tatami/contract/belts/promotions'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { auditAction } from '../audit/audit.ts'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { firstRow, getOrThrow, pluck } from '../lib/rows.ts'
import { type CurrentRank, findCurrentRanks, toHeldRank } from './current-ranks.ts'
import { type LockedStudent, writeBeltLevels } from './history.ts'
import type { StyleRow } from './styles.ts'
import { beltChanges } from './tables.ts'

export type Caller = Pick<DojoCaller, 'id' | 'dojoId'>
/** Changes with the same `act_id` are a batch, which is undone together. */
export type BatchOptions = { act_id?: string }
type NewChangeRow = typeof beltChanges.$inferInsert & { id: string }

export type NewChange = { style: StyleRow; student: LockedStudent; row: NewChangeRow }

/** Returns the student's new current rank for each change, by the id of the change. */
export async function saveChanges(tx: Tx, changes: NewChange[]): Promise<Map<string, CurrentRank>> {
  await inChunks(pluck(changes, 'row'), (chunk) => tx.insert(beltChanges).values(chunk))
  const ranksAfter = new Map<string, CurrentRank>()
  for (const styleChanges of Map.groupBy(changes, ({ style }) => style.id).values()) {
    const ids = styleChanges.map(({ student }) => student.id)
    const { style } = firstRow(styleChanges)
    const currentRanks = style.is_main
      ? await writeBeltLevels(tx, ids)
      : await findCurrentRanks(tx, style, ids)
    for (const { student, row } of styleChanges)
      ranksAfter.set(row.id, getOrThrow(currentRanks, student.id))
  }
  return ranksAfter
}

export function toPromotionResult(
  changes: NewChange[],
  ranksAfter: Map<string, CurrentRank>,
  studentId: string,
): PromotionResult['students'][number] {
  const { row, student } = mustExist(
    changes.find((change) => change.student.id === studentId),
    'The change',
  )
  return {
    promotion_id: row.id,
    student_id: student.id,
    name: student.name,
    rank: toHeldRank(getOrThrow(ranksAfter, row.id)),
  }
}

export const auditChanges = (
  tx: Tx,
  caller: Caller,
  action: 'students promoted' | 'stripes given',
  changes: NewChange[],
) =>
  auditAction(tx, caller, action, {
    ...(changes.length === 1 && { subject_id: firstRow(changes).student.id }),
    details: { students: changes.length },
  })
