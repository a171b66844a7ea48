import type { PromotionResult } from '@tatami/contract/belts/promotions'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { requireCurrent } from '../guardians/guardianships.ts'
import { invalid } from '../lib/refusal.ts'
import { getOrThrow } from '../lib/rows.ts'
import { findCurrentRanks } from './current-ranks.ts'
import { lockStudents } from './history.ts'
import { notifyNewStripes } from './notices.ts'
import {
  type BatchOptions,
  auditChanges,
  type Caller,
  saveChanges,
  toPromotionResult,
} from './save-changes.ts'
import { type RankRow, saveMainStyle, findStyleOrMain } from './styles.ts'

type StripeForm = { student_ids: string[]; style_id?: string | undefined }
type StripeOptions = BatchOptions & { given_on?: string; stripesByStudent?: Map<string, number> }

/** Gives each student one stripe, or the number in `stripesByStudent`. Throws 422 if the rank does
 *  not have that many stripes. */
export async function giveStripes(
  tx: Tx,
  caller: Caller,
  { student_ids, style_id }: StripeForm,
  { act_id = newId(), given_on, stripesByStudent }: StripeOptions = {},
): Promise<PromotionResult> {
  const students = await lockStudents(tx, student_ids)
  for (const student of students.values()) requireCurrent(student)
  await saveMainStyle(tx)
  const style = await findStyleOrMain(tx, style_id)
  const ranksByStudent = await findCurrentRanks(tx, style, student_ids)
  const day = given_on ?? (await todayOf(tx, caller.dojoId))
  const plans = student_ids.map((student_id) => {
    const student = getOrThrow(students, student_id)
    const currentRank = ranksByStudent.get(student_id)
    const newStripes = stripesByStudent?.get(student_id) ?? 1
    if (!currentRank) throw invalid('student_ids', `${student.name} has no rank in ${style.name}.`)
    const { rank, stripes } = currentRank
    if (stripes + newStripes > rank.stripes)
      throw invalid('student_ids', describeTooManyStripes(student.name, rank))
    const { belt_level, id: rank_id } = rank
    const row = {
      id: newId(),
      student_id,
      style_id: style.id,
      rank_id,
      act_id,
      belt_level,
      given_on: day,
      previous_belt: belt_level,
      kind: 'stripe' as const,
      stripes: stripes + newStripes,
      changed_by: caller.id,
    }
    return { style, student, rank, newStripes, stripes: stripes + newStripes, row }
  })
  const ranksAfter = await saveChanges(tx, plans)
  await notifyNewStripes(
    tx,
    caller.dojoId,
    plans.map(({ student, rank, row, stripes, newStripes }) => ({
      student,
      rank,
      stripes,
      newStripes,
      change_id: row.id,
    })),
  )
  await auditChanges(tx, caller, 'stripes given', plans)
  return { act_id, students: student_ids.map((id) => toPromotionResult(plans, ranksAfter, id)) }
}

function describeTooManyStripes(name: string, rank: RankRow): string {
  if (rank.stripes === 0) return `${rank.name} has no stripes.`
  const stripes = `${rank.stripes} ${rank.stripes === 1 ? 'stripe' : 'stripes'}`
  return `${name} would have more than the ${stripes} of ${rank.name}.`
}
