import type { Belt } from '@tatami/contract/lib/ranks'
import { BELTS } from '@tatami/contract/lib/ranks'
import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { findLadderForAge } from './rank-for-belt.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { invalid } from '../lib/refusal.ts'
import { findCurrentRanks } from './current-ranks.ts'
import { type LockedStudent, lockStudents, writeBeltLevels } from './history.ts'
import { SEVEN_BELTS_ID } from './ladder-templates.ts'
import { type NewBelt, notifyNewBelts } from './notices.ts'
import { determineKind } from './promotion-kind.ts'
import { findTargetRanks } from './target-ranks.ts'
import { findMainStyle, saveMainStyle, findLadders, type RankRow, type StyleRow } from './styles.ts'
import { beltChanges } from './tables.ts'
import { getOrThrow, pluck } from '../lib/rows.ts'

type Caller = Pick<DojoCaller, 'id' | 'dojoId'>
type BeltChoice = { belt_level?: Belt | undefined; rank_id?: string | undefined }

/** Gives a student the chosen rank, or the first rank that counts as the chosen belt. Throws 422 if
 *  there is no such rank. */
export async function changeBelt(
  tx: Tx,
  caller: Caller,
  studentId: string,
  choice: BeltChoice,
): Promise<void> {
  if (!choice.belt_level && !choice.rank_id) return
  const student = getOrThrow(await lockStudents(tx, [studentId]), studentId)
  const style = choice.rank_id ? await saveMainStyle(tx) : await findMainStyle(tx)
  const given_on = await todayOf(tx, caller.dojoId)
  const change = style
    ? await planOnLadder(tx, style, student, choice, given_on)
    : planOnSevenBelts(student, choice)
  if (!change) return
  const { rank, ...row } = change
  const change_id = newId()
  await tx.insert(beltChanges).values({
    ...row,
    id: change_id,
    student_id: studentId,
    given_on,
    changed_by: caller.id,
    act_id: newId(),
  })
  await writeBeltLevels(tx, [studentId], new Map([[studentId, row.belt_level]]))
  // On the seven belts, students are also notified of a lower belt.
  if (!style || row.kind !== 'correction')
    await notifyNewBelts(tx, caller.dojoId, [{ student, rank, change_id }])
}

type BeltChange = Pick<
  typeof beltChanges.$inferInsert,
  'belt_level' | 'previous_belt' | 'kind' | 'style_id' | 'rank_id' | 'note'
> & { rank: NewBelt['rank'] }

const isLower = (belt: Belt, otherBelt: Belt) => BELTS.indexOf(belt) < BELTS.indexOf(otherBelt)

function planOnSevenBelts(
  { belt_level: previous_belt }: LockedStudent,
  { belt_level }: BeltChoice,
): BeltChange | null {
  if (!belt_level || belt_level === previous_belt) return null
  const kind = isLower(belt_level, previous_belt) ? 'correction' : 'promotion'
  return { belt_level, previous_belt, kind, rank: { name: belt_level, belt_level } }
}

async function planOnLadder(
  tx: Tx,
  style: StyleRow,
  student: LockedStudent,
  choice: BeltChoice,
  today: string,
): Promise<BeltChange | null> {
  const currentRank = (await findCurrentRanks(tx, style, [student.id])).get(student.id)
  if (!currentRank) return null
  const ladders = await findLadders(tx, style.id)
  const previous_belt = currentRank.rank.belt_level
  const toBeltChange = (rank: RankRow) => ({
    rank,
    style_id: style.id,
    rank_id: rank.id,
    belt_level: rank.belt_level,
    previous_belt,
  })
  if (choice.rank_id) {
    if (choice.rank_id === currentRank.rank.id) return null
    const rank = await findRankInMainStyle(tx, style, choice.rank_id)
    return { ...toBeltChange(rank), kind: determineKind(currentRank.rank, rank, ladders) }
  }
  const { belt_level } = choice
  if (!belt_level || belt_level === previous_belt) return null
  const currentLadder = ladders.find(
    ({ id, retired_at }) => id === currentRank.rank.ladder_id && retired_at === null,
  )
  const ladder = currentLadder ?? findLadderForAge(ladders, today, student.date_of_birth)
  const rank = ladder?.ranks.find(
    (ladderRank) => ladderRank.retired_at === null && ladderRank.belt_level === belt_level,
  )
  if (!ladder || !rank)
    throw invalid(
      'belt_level',
      `No rank of ${ladder?.name ?? style.name} counts as a ${belt_level} belt.`,
    )
  if (ladder.template !== SEVEN_BELTS_ID)
    return { ...toBeltChange(rank), kind: 'correction', note: 'by the student form' }
  return {
    ...toBeltChange(rank),
    kind: isLower(belt_level, previous_belt) ? 'correction' : 'promotion',
  }
}

async function findRankInMainStyle(tx: Tx, style: StyleRow, id: string): Promise<RankRow> {
  const target = getOrThrow(await findTargetRanks(tx, [id]), id)
  if (target.style.id !== style.id) throw invalid('rank_id', 'This rank is not in the main style.')
  return target.rank
}

type StartingRank = {
  id: string
  belt_level: Belt
  rank_id?: string | undefined
  /** What an import says about the time before the school used Tatami. */
  history?: { given_on: string; stripes: number; classes_before: number }
}

/** Records the rank of new students. If the dojo has its own ladders, the belt and the age
 *  determine the rank, and later birthdays do not change it. */
export async function recordStartingRanks(
  tx: Tx,
  caller: Caller,
  today: string,
  startingRanks: readonly StartingRank[],
): Promise<void> {
  if (startingRanks.length === 0) return
  const ids = pluck(startingRanks, 'id')
  const hasRanks = startingRanks.some(({ rank_id }) => rank_id)
  const style = hasRanks ? await saveMainStyle(tx) : await findMainStyle(tx)
  const ranksByStudent = style ? await findCurrentRanks(tx, style, ids) : undefined
  const rows: (typeof beltChanges.$inferInsert)[] = []
  for (const { id: student_id, belt_level, rank_id, history } of startingRanks) {
    const rank =
      rank_id && style
        ? await findRankInMainStyle(tx, style, rank_id)
        : ranksByStudent?.get(student_id)?.rank
    const level = rank?.belt_level ?? belt_level
    const rankColumns = rank && style ? { style_id: style.id, rank_id: rank.id } : {}
    rows.push({
      ...rankColumns,
      student_id,
      belt_level: level,
      previous_belt: level,
      kind: 'start',
      given_on: today,
      ...history,
      changed_by: caller.id,
    })
  }
  await inChunks(rows, (chunk) => tx.insert(beltChanges).values(chunk))
  if (style) await writeBeltLevels(tx, ids)
}
