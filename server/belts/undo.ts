import type { Belt } from '@tatami/contract/lib/ranks'
import { and, eq, isNull } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { certificates } from '../gradings/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { firstRow, pluck } from '../lib/rows.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { deleteBeltNotifications } from '../notifications/withdraw.ts'
import { restoreLadders } from './conversion.ts'
import {
  changesRank,
  lockStudents,
  type EffectiveChange,
  findEffectiveChanges,
  writeBeltLevels,
} from './history.ts'
import { findMainStyle, type StyleRow } from './styles.ts'
import { beltChanges, styles } from './tables.ts'

type Caller = Pick<DojoCaller, 'id' | 'dojoId'>
type Row = typeof beltChanges.$inferSelect

/** Undoes all promotions of a batch that are not undone yet. Throws 404 for an unknown batch, 409
 *  if a later change depends on one of them. */
export async function undoBatch(
  tx: Tx,
  caller: Caller,
  batchId: string,
): Promise<{ undone: number }> {
  const rows = await tx
    .select()
    .from(beltChanges)
    .where(and(eq(beltChanges.act_id, batchId), isNull(beltChanges.undoes)))
  if (rows.length === 0) throw notFound('Act')
  await restoreLadders(tx, batchId)
  return undoRows(tx, caller, rows)
}

export async function undoPromotion(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<{ undone: number }> {
  const [row] = await tx
    .select()
    .from(beltChanges)
    .where(and(eq(beltChanges.id, id), isNull(beltChanges.undoes)))
  if (!row) throw notFound('Promotion')
  if (row.kind === 'start')
    throw new Refusal(409, 'A starting rank can’t be undone. Please promote the student instead.')
  return undoRows(tx, caller, [row])
}

async function undoRows(tx: Tx, caller: Caller, rows: Row[]): Promise<{ undone: number }> {
  const studentIds = [...new Set(pluck(rows, 'student_id'))]
  await lockStudents(tx, studentIds)
  const undoneIds = await findUndoneIds(tx, pluck(rows, 'id'))
  const rowsToUndo = rows.filter(({ id }) => !undoneIds.has(id))
  if (rowsToUndo.length === 0) return { undone: 0 }
  const mainStyle = await findMainStyle(tx)
  await requireNewest(tx, rowsToUndo, mainStyle)
  const given_on = await todayOf(tx, caller.dojoId)
  const act_id = newId()
  await tx.insert(beltChanges).values(
    rowsToUndo.map(({ id, student_id, style_id, rank_id, belt_level, previous_belt }) => ({
      student_id,
      style_id,
      rank_id,
      belt_level: previous_belt,
      previous_belt: belt_level,
      kind: 'correction' as const,
      changed_by: caller.id,
      given_on,
      act_id,
      undoes: id,
    })),
  )
  await revokeCertificates(tx, rowsToUndo)
  await deleteBeltNotifications(tx, caller.dojoId, pluck(rowsToUndo, 'id'))
  const mainStyleRows = rowsToUndo.filter(
    ({ style_id }) => style_id === null || style_id === mainStyle?.id,
  )
  const ids = pluck(mainStyleRows, 'student_id')
  if (ids.length > 0)
    await writeBeltLevels(tx, ids, await findBeltsAfterUndo(tx, mainStyleRows, mainStyle))
  await auditAction(tx, caller, 'promotions taken back', {
    ...(studentIds.length === 1 && { subject_id: firstRow(studentIds) }),
    details: { promotions: rowsToUndo.length },
  })
  return { undone: rowsToUndo.length }
}

async function findUndoneIds(tx: Tx, ids: string[]): Promise<Set<string>> {
  const undoingRows = await tx
    .select({ undoes: beltChanges.undoes })
    .from(beltChanges)
    .where(equalsAny(beltChanges.undoes, ids))
  return new Set(undoingRows.flatMap(({ undoes }) => undoes ?? []))
}

/** Accepts the newest changes by date or by time of entry, so that an instructor can undo an entry
 *  with a mistyped date. */
async function requireNewest(tx: Tx, rows: Row[], mainStyle: StyleRow | undefined): Promise<void> {
  for (const styleRows of Map.groupBy(rows, ({ style_id }) => style_id ?? mainStyle?.id).values()) {
    const studentIds = pluck(styleRows, 'student_id')
    const effectiveChanges = await findEffectiveChanges(
      tx,
      await findStyle(tx, firstRow(styleRows), mainStyle),
      studentIds,
    )
    const idsToUndo = new Set(pluck(styleRows, 'id'))
    for (const history of effectiveChanges.values()) {
      const undoneCount = history.filter(({ id }) => idsToUndo.has(id)).length
      const areNewest = (orderedChanges: EffectiveChange[]) =>
        orderedChanges.slice(0, undoneCount).every(({ id }) => idsToUndo.has(id))
      const newestEntryFirst = history.toSorted((a, b) => a.entry_position - b.entry_position)
      if (!areNewest(history) && !areNewest(newestEntryFirst))
        throw new Refusal(409, 'A later change depends on this one. Please undo that first.')
    }
  }
}

async function findStyle(
  tx: Tx,
  { style_id }: Row,
  mainStyle: StyleRow | undefined,
): Promise<StyleRow | undefined> {
  if (style_id === null) return mainStyle
  const [style] = await tx.select().from(styles).where(eq(styles.id, style_id))
  return style
}

async function findBeltsAfterUndo(
  tx: Tx,
  undoneRows: Row[],
  mainStyle: StyleRow | undefined,
): Promise<Map<string, Belt>> {
  const historyByStudent = await findEffectiveChanges(
    tx,
    mainStyle,
    pluck(undoneRows, 'student_id'),
  )
  const newestRowsFirst = undoneRows.toSorted((a, b) =>
    `${a.changed_at} ${a.id}` < `${b.changed_at} ${b.id}` ? 1 : -1,
  )
  const belts = new Map<string, Belt>()
  // A student without any other change gets back the belt from before the oldest undone change.
  for (const { student_id, previous_belt } of newestRowsFirst) {
    const lastRankChange = historyByStudent.get(student_id)?.find(changesRank)
    belts.set(student_id, lastRankChange?.belt_level ?? previous_belt)
  }
  return belts
}

const revokeCertificates = (tx: Tx, undoneRows: Row[]) =>
  tx
    .update(certificates)
    .set({ revoked_at: nowIso() })
    .where(
      and(
        equalsAny(certificates.belt_change_id, pluck(undoneRows, 'id')),
        isNull(certificates.revoked_at),
      ),
    )
