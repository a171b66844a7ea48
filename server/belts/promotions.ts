import type {
  NewPromotions,
  PromotionResult,
  PromotionPreview,
} from '@tatami/contract/belts/promotions'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { Belt, PromotionKind } from '@tatami/contract/lib/ranks'
import { BELTS } from '@tatami/contract/lib/ranks'
import { auditAction } from '../audit/audit.ts'
import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { requireCurrent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { firstRow, getOrThrow, pluck } from '../lib/rows.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import { type CurrentRank, toHeldRank, findCurrentRanks, toShownRank } from './current-ranks.ts'
import {
  changesRank,
  type LockedStudent,
  lockStudents,
  type EffectiveChange,
  findEffectiveChanges,
  writeBeltLevels,
} from './history.ts'
import { findReaderNames, notifyNewBelts, notifyNewStripes } from './notices.ts'
import { findBeltTests } from './belt-tests-of-students.ts'
import {
  listStyles,
  saveMainStyle,
  type LadderRow,
  findLadders,
  type RankRow,
  styleOrMain,
  type StyleRow,
} from './styles.ts'
import { beltChanges } from './tables.ts'

type Caller = Pick<DojoCaller, 'id' | 'dojoId'>
type ActOptions = { act_id?: string }
type NewChangeRow = typeof beltChanges.$inferInsert & { id: string }

/** Promotes all or none. Corrections, imports and promotions dated before the current rank send no
 *  notifications. 404 for another dojo's student or rank, 422 for an impossible rank or date. */
export async function promote(
  tx: Tx,
  caller: Caller,
  form: NewPromotions,
  { act_id = newId() }: ActOptions = {},
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
      promotionResult(plans, ranksAfter, student_id),
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

type StripeForm = { student_ids: string[]; style_id?: string | undefined }
type StripeOptions = ActOptions & { given_on?: string; stripesByStudent?: Map<string, number> }

/** Gives each student a stripe, or as many as in `stripesByStudent`. 422 for too many stripes. */
export async function giveStripes(
  tx: Tx,
  caller: Caller,
  { student_ids, style_id }: StripeForm,
  { act_id = newId(), given_on, stripesByStudent }: StripeOptions = {},
): Promise<PromotionResult> {
  const students = await lockStudents(tx, student_ids)
  for (const student of students.values()) requireCurrent(student)
  await saveMainStyle(tx)
  const style = await styleOrMain(tx, style_id)
  const ranksByStudent = await findCurrentRanks(tx, style, student_ids)
  const day = given_on ?? (await todayOf(tx, caller.dojoId))
  const plans = student_ids.map((student_id) => {
    const student = getOrThrow(students, student_id)
    const currentRank = ranksByStudent.get(student_id)
    const newStripes = stripesByStudent?.get(student_id) ?? 1
    if (!currentRank) throw invalid('student_ids', `${student.name} has no rank in ${style.name}.`)
    const { rank, stripes } = currentRank
    if (stripes + newStripes > rank.stripes)
      throw invalid('student_ids', tooManyStripes(student.name, rank))
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
  return { act_id, students: student_ids.map((id) => promotionResult(plans, ranksAfter, id)) }
}

function tooManyStripes(name: string, rank: RankRow): string {
  if (rank.stripes === 0) return `${rank.name} has no stripes.`
  const stripes = `${rank.stripes} ${rank.stripes === 1 ? 'stripe' : 'stripes'}`
  return `${name} would have more than the ${stripes} of ${rank.name}.`
}

type TargetRank = { rank: RankRow; ladder: LadderRow; style: StyleRow }

/** 404 for an unknown rank, 422 for a retired one. */
export async function findTargetRanks(tx: Tx, ids: string[]): Promise<Map<string, TargetRank>> {
  const wantedIds = new Set(ids)
  const targets = new Map<string, TargetRank>()
  for (const style of await listStyles(tx))
    for (const ladder of await findLadders(tx, style.id))
      for (const rank of ladder.ranks)
        if (wantedIds.has(rank.id)) targets.set(rank.id, { rank, ladder, style })
  if (targets.size < wantedIds.size) throw notFound('Rank')
  for (const { rank, ladder } of targets.values())
    if (rank.retired_at !== null || ladder.retired_at !== null)
      throw invalid('rank_id', `${rank.name} is retired. Please choose another rank.`)
  return targets
}

function groupByStyle<P extends { rank_id: string }>(
  promotions: readonly P[],
  targets: Map<string, TargetRank>,
): [StyleRow, P[]][] {
  const byStyle = Map.groupBy(promotions, ({ rank_id }) => getOrThrow(targets, rank_id).style.id)
  return [...byStyle.values()].map((stylePromotions) => [
    getOrThrow(targets, firstRow(stylePromotions).rank_id).style,
    stylePromotions,
  ])
}

type PromotionPlan = {
  style: StyleRow
  student: LockedStudent
  currentRank: CurrentRank | undefined
  rank: RankRow
  isAnnounced: boolean
  row: NewChangeRow
}
type RankChange = {
  student: LockedStudent
  rank: RankRow
  given_on: string
  kind: PromotionKind | undefined
  ladders: (LadderRow & { ranks: RankRow[] })[]
}

type ClassifiedChange = { kind: PromotionKind; previous_belt: Belt; isAnnounced: boolean }

/** `history` has the student's earlier rank changes, the newest first. */
function classifyChange(
  currentRank: CurrentRank | undefined,
  history: readonly EffectiveChange[],
  change: RankChange,
): ClassifiedChange {
  const { student, rank, given_on } = change
  // For `promotion`, the default of the form, the ranks determine the kind.
  const explicitKind = change.kind === 'promotion' ? undefined : change.kind
  const [lastChange] = history
  const isFirst = !lastChange || lastChange.kind === 'start'
  if (!isFirst && given_on < lastChange.given_on)
    return {
      kind: explicitKind ?? 'promotion',
      previous_belt: beltBefore(history, given_on),
      isAnnounced: false,
    }
  const previous_belt = currentRank?.rank.belt_level ?? rank.belt_level
  if (currentRank?.rank.id === rank.id) {
    if (!isFirst && !explicitKind)
      throw invalid('promotions', `${student.name} already has this rank.`)
    return { kind: explicitKind ?? 'import', previous_belt, isAnnounced: false }
  }
  const kind = explicitKind ?? promotionKind(currentRank?.rank, rank, change.ladders)
  return { kind, previous_belt, isAnnounced: ANNOUNCED_KINDS.has(kind) }
}

const ANNOUNCED_KINDS: ReadonlySet<PromotionKind> = new Set(['promotion', 'skip', 'conversion'])

/** The history must not be empty. */
function beltBefore(history: readonly EffectiveChange[], day: string): Belt {
  const earlierChange = history.find(({ kind, given_on }) => kind === 'start' || given_on <= day)
  return earlierChange?.belt_level ?? mustExist(history.at(-1), 'The oldest change').previous_belt
}

export function promotionKind(
  oldRank: RankRow | undefined,
  newRank: RankRow,
  ladders: RankChange['ladders'],
): PromotionKind {
  if (!oldRank) return 'promotion'
  const isLower = BELTS.indexOf(newRank.belt_level) < BELTS.indexOf(oldRank.belt_level)
  if (oldRank.ladder_id !== newRank.ladder_id) return isLower ? 'correction' : 'conversion'
  if (oldRank.retired_at !== null) return isLower ? 'correction' : 'promotion'
  if (newRank.place < oldRank.place) return 'correction'
  const ladder = ladders.find(({ id }) => id === newRank.ladder_id)
  const isSkipped = ({ place, retired_at }: RankRow) =>
    retired_at === null && place > oldRank.place && place < newRank.place
  return ladder?.ranks.some(isSkipped) ? 'skip' : 'promotion'
}

type NewChange = { style: StyleRow; student: LockedStudent; row: NewChangeRow }

/** Returns the rank that each student has afterward, by the id of the change. */
async function saveChanges(tx: Tx, changes: NewChange[]): Promise<Map<string, CurrentRank>> {
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

function promotionResult(
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

const auditChanges = (
  tx: Tx,
  caller: Caller,
  action: 'students promoted' | 'stripes given',
  changes: NewChange[],
) =>
  auditAction(tx, caller, action, {
    ...(changes.length === 1 && { subject_id: firstRow(changes).student.id }),
    details: { students: changes.length },
  })
