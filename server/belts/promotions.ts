import type {
  NewPromotions,
  PromotionResult,
  PromotionPreview,
} from '@tatami/contract/belts/promotions'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { requireCurrent } from '../guardians/guardianships.ts'
import { firstRow, getOrThrow, pluck } from '../lib/rows.ts'
import { invalid } from '../lib/refusal.ts'
import { findBeltTests } from './belt-tests-of-students.ts'
import { type CurrentRank, toHeldRank, findCurrentRanks, toShownRank } from './current-ranks.ts'
import { changesRank, type LockedStudent, lockStudents, findEffectiveChanges } from './history.ts'
import { findReaderNames, notifyNewBelts } from './notices.ts'
import { classifyChange } from './promotion-kind.ts'
import {
  type BatchOptions,
  auditChanges,
  type Caller,
  type NewChange,
  saveChanges,
  toPromotionResult,
} from './save-changes.ts'
import { saveMainStyle, findLadders, type RankRow, type StyleRow } from './styles.ts'
import { findTargetRanks, type TargetRank } from './target-ranks.ts'

/** Promotes all students or none. Nobody is notified of a correction, an import or a promotion
 *  dated before the current rank. Throws 404 for another dojo's student or rank, 422 for an
 *  impossible rank or date. */
export async function promote(
  tx: Tx,
  caller: Caller,
  form: NewPromotions,
  { act_id = newId() }: BatchOptions = {},
): Promise<PromotionResult> {
  await saveMainStyle(tx)
  const plans = await planPromotions(tx, caller, form, act_id)
  const ranksAfter = await saveChanges(tx, plans)
  const announcedPlans = plans.filter(({ isAnnounced }) => isAnnounced)
  await notifyNewBelts(
    tx,
    caller.dojoId,
    announcedPlans.map(({ student, rank, row }) => ({ student, rank, change_id: row.id })),
  )
  await auditChanges(tx, caller, 'students promoted', plans)
  return {
    act_id,
    students: form.promotions.map(({ student_id }) =>
      toPromotionResult(plans, ranksAfter, student_id),
    ),
  }
}

export async function previewPromotions(
  tx: Tx,
  caller: Caller,
  form: NewPromotions,
): Promise<PromotionPreview> {
  const plans = await planPromotions(tx, caller, form, newId())
  const announcedPlans = plans.filter(({ isAnnounced }) => isAnnounced)
  const announcedStudents = pluck(announcedPlans, 'student')
  const readerNames = await findReaderNames(tx, announcedStudents)
  return {
    belt_tests: await findBeltTests(tx, caller, pluck(form.promotions, 'student_id')),
    students: plans
      .map(({ student, currentRank, rank }) => ({
        student_id: student.id,
        name: student.name,
        from: currentRank ? toHeldRank(currentRank) : null,
        to: toShownRank(rank),
        told: readerNames.get(student.id) ?? [],
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
  }
}

async function planPromotions(
  tx: Tx,
  caller: Caller,
  form: NewPromotions,
  act_id: string,
): Promise<PromotionPlan[]> {
  const { promotions, examiner = null, note = null, classes_before = 0 } = form
  const students = await lockStudents(tx, pluck(promotions, 'student_id'))
  for (const student of students.values()) requireCurrent(student)
  const today = await todayOf(tx, caller.dojoId)
  const given_on = form.given_on ?? today
  requirePossibleDate(given_on, today, students)
  const targets = await findTargetRanks(tx, pluck(promotions, 'rank_id'))
  const plans: PromotionPlan[] = []
  for (const [style, stylePromotions] of groupByStyle(promotions, targets)) {
    const ids = pluck(stylePromotions, 'student_id')
    const ranksByStudent = await findCurrentRanks(tx, style, ids)
    const changesByStudent = await findEffectiveChanges(tx, style, ids)
    const ladders = await findLadders(tx, style.id)
    for (const { student_id, rank_id, waived = [] } of stylePromotions) {
      const student = getOrThrow(students, student_id)
      const { rank } = getOrThrow(targets, rank_id)
      const currentRank = ranksByStudent.get(student_id)
      const rankChanges = (changesByStudent.get(student_id) ?? []).filter(changesRank)
      const { kind, previous_belt, isAnnounced } = classifyChange(currentRank, rankChanges, {
        student,
        rank,
        given_on,
        ladders,
        kind: form.kind,
      })
      const row = {
        id: newId(),
        student_id,
        style_id: style.id,
        rank_id,
        act_id,
        given_on,
        kind,
        previous_belt,
        waived,
        examiner,
        note,
        classes_before,
        belt_level: rank.belt_level,
        changed_by: caller.id,
      }
      plans.push({ style, student, currentRank, rank, isAnnounced, row })
    }
  }
  return plans
}

function requirePossibleDate(
  givenOn: string,
  today: string,
  students: ReadonlyMap<string, LockedStudent>,
): void {
  if (givenOn > today) throw invalid('given_on', 'The date must not be in the future.')
  for (const { name, date_of_birth } of students.values())
    if (date_of_birth && givenOn < date_of_birth)
      throw invalid('given_on', `${name} was not born yet on this date.`)
}

function groupByStyle<Promotion extends { rank_id: string }>(
  promotions: readonly Promotion[],
  targets: Map<string, TargetRank>,
): [StyleRow, Promotion[]][] {
  const promotionsByStyle = Map.groupBy(
    promotions,
    ({ rank_id }) => getOrThrow(targets, rank_id).style.id,
  )
  return [...promotionsByStyle.values()].map((stylePromotions) => [
    getOrThrow(targets, firstRow(stylePromotions).rank_id).style,
    stylePromotions,
  ])
}

type PromotionPlan = NewChange & {
  currentRank: CurrentRank | undefined
  rank: RankRow
  isAnnounced: boolean
}
