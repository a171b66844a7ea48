import type { Belt } from '@tatami/contract/lib/ranks'
import { BELTS } from '@tatami/contract/lib/ranks'
import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { ladderForAge } from './rank-of-level.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { invalid } from '../lib/refusal.ts'
import { heldRanks } from './held-ranks.ts'
import { type LockedStudent, lockStudents, writeBeltLevels } from './history.ts'
import { SEVEN_BELTS } from './ladder-templates.ts'
import { type NewBelt, notifyNewBelts } from './notices.ts'
import { kindOfStep, ranksToGive } from './promotions.ts'
import { findMainStyle, keepMainStyle, laddersOf, type RankRow, type StyleRow } from './styles.ts'
import { beltChanges } from './tables.ts'
import { pluck } from '../lib/rows.ts'

type Caller = Pick<Member, 'id' | 'dojoId'>
type BeltChoice = { belt_level?: Belt | undefined; rank_id?: string | undefined }

/** Gives the student the belt of the form, today, and announces a new one. On a ladder of the
 *  dojo's own, a belt is the first rank that counts as it, noted as a correction. 422 if there
 *  is none. */
export async function changeBelt(
  tx: Tx,
  caller: Caller,
  studentId: string,
  choice: BeltChoice,
): Promise<void> {
  if (!choice.belt_level && !choice.rank_id) return
  const student = (await lockStudents(tx, [studentId])).get(studentId)!
  const style = choice.rank_id ? await keepMainStyle(tx) : await findMainStyle(tx)
  const given_on = await todayOf(tx, caller.dojoId)
  const step = style
    ? await stepOnLadder(tx, style, student, choice, given_on)
    : stepOfSeven(student, choice)
  if (!step) return
  const { rank, ...row } = step
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
  // With the seven belts alone, a lower belt is announced like any other.
  if (!style || row.kind !== 'correction')
    await notifyNewBelts(tx, caller.dojoId, [{ student, rank, change_id }])
}

type Step = Pick<
  typeof beltChanges.$inferInsert,
  'belt_level' | 'previous_belt' | 'kind' | 'style_id' | 'rank_id' | 'note'
> & {
  rank: NewBelt['rank']
}

const isLower = (belt: Belt, otherBelt: Belt) => BELTS.indexOf(belt) < BELTS.indexOf(otherBelt)

function stepOfSeven(
  { belt_level: previous_belt }: LockedStudent,
  { belt_level }: BeltChoice,
): Step | null {
  if (!belt_level || belt_level === previous_belt) return null
  const kind = isLower(belt_level, previous_belt) ? 'correction' : 'promotion'
  return { belt_level, previous_belt, kind, rank: { name: belt_level, belt_level } }
}

async function stepOnLadder(
  tx: Tx,
  style: StyleRow,
  student: LockedStudent,
  choice: BeltChoice,
  today: string,
): Promise<Step | null> {
  const has = (await heldRanks(tx, style, [student.id])).get(student.id)
  if (!has) return null
  const ladders = await laddersOf(tx, style.id)
  const previous_belt = has.rank.belt_level
  const stepTo = (rank: RankRow) => ({
    rank,
    style_id: style.id,
    rank_id: rank.id,
    belt_level: rank.belt_level,
    previous_belt,
  })
  if (choice.rank_id) {
    if (choice.rank_id === has.rank.id) return null
    const rank = await rankOfMainStyle(tx, style, choice.rank_id)
    return { ...stepTo(rank), kind: kindOfStep(has.rank, rank, ladders) }
  }
  const { belt_level } = choice
  if (!belt_level || belt_level === previous_belt) return null
  const ownLadder = ladders.find(
    ({ id, retired_at }) => id === has.rank.ladder_id && retired_at === null,
  )
  const ladder = ownLadder ?? ladderForAge(ladders, today, student.date_of_birth)
  const rank = ladder?.ranks.find(
    (candidate) => candidate.retired_at === null && candidate.belt_level === belt_level,
  )
  if (!ladder || !rank)
    throw invalid(
      'belt_level',
      `No rank of ${ladder?.name ?? style.name} counts as a ${belt_level} belt.`,
    )
  if (ladder.template !== SEVEN_BELTS)
    return { ...stepTo(rank), kind: 'correction', note: 'by the student form' }
  return { ...stepTo(rank), kind: isLower(belt_level, previous_belt) ? 'correction' : 'promotion' }
}

async function rankOfMainStyle(tx: Tx, style: StyleRow, id: string): Promise<RankRow> {
  const target = (await ranksToGive(tx, [id])).get(id)!
  if (target.style.id !== style.id) throw invalid('rank_id', 'This rank is not in the main style.')
  return target.rank
}

type Start = { id: string; belt_level: Belt; rank_id?: string | undefined }

/** Starts the history of new students today. On ladders of the dojo's own, their belt and age
 *  decide the rank, which stays as they grow older. */
export async function recordStarts(
  tx: Tx,
  caller: Caller,
  today: string,
  starts: readonly Start[],
): Promise<void> {
  if (starts.length === 0) return
  const ids = pluck(starts, 'id')
  const hasRanks = starts.some(({ rank_id }) => rank_id)
  const style = hasRanks ? await keepMainStyle(tx) : await findMainStyle(tx)
  const ranksByStudent = style ? await heldRanks(tx, style, ids) : undefined
  const rows: (typeof beltChanges.$inferInsert)[] = []
  for (const { id: student_id, belt_level, rank_id } of starts) {
    const rank =
      rank_id && style
        ? await rankOfMainStyle(tx, style, rank_id)
        : ranksByStudent?.get(student_id)?.rank
    const level = rank?.belt_level ?? belt_level
    const ofRank = rank && style ? { style_id: style.id, rank_id: rank.id } : {}
    rows.push({
      ...ofRank,
      student_id,
      belt_level: level,
      previous_belt: level,
      kind: 'start',
      given_on: today,
      changed_by: caller.id,
    })
  }
  await inChunks(rows, (chunk) => tx.insert(beltChanges).values(chunk))
  if (style) await writeBeltLevels(tx, ids)
}
