import type {
  NewPromotions,
  PromotionResult,
  PromotionPreview,
} from '@tatami/contract/belts/promotions'
import type { Belt, PromotionKind } from '@tatami/contract/lib/ranks'
import { BELTS } from '@tatami/contract/lib/ranks'
import { auditAction } from '../audit/audit.ts'
import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { firstRow, getOrThrow, pluck } from '../lib/rows.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import { type CurrentRank, heldRankOf, heldRanks, shownRankOf } from './held-ranks.ts'
import {
  isRankRow,
  type LockedStudent,
  lockStudents,
  type EffectiveChange,
  findEffectiveChanges,
  writeBeltLevels,
} from './history.ts'
import { namesOfReaders, notifyNewBelts, notifyNewStripes } from './notices.ts'
import {
  allStyles,
  keepMainStyle,
  type LadderRow,
  laddersOf,
  type RankRow,
  styleOrMain,
  type StyleRow,
} from './styles.ts'
import { beltChanges } from './tables.ts'

type Caller = Pick<Member, 'id' | 'dojoId'>
type Options = { act_id?: string }
type NewRow = typeof beltChanges.$inferInsert & { id: string }

/** Promotes students, all or none. New ranks are announced, but no corrections, imports, or
 *  promotions dated before the current rank. 404 for a student or rank of another dojo, 422 for
 *  an impossible rank or date. */
export async function promote(
  tx: Tx,
  caller: Caller,
  form: NewPromotions,
  { act_id = newId() }: Options = {},
): Promise<PromotionResult> {
  await keepMainStyle(tx)
  const plans = await planPromotions(tx, caller, form, act_id)
  const ranksAfter = await writeRows(tx, plans)
  const announcedPlans = plans.filter(({ isNews }) => isNews)
  await notifyNewBelts(
    tx,
    caller.dojoId,
    announcedPlans.map(({ student, rank, row }) => ({ student, rank, change_id: row.id })),
  )
  await auditPromoted(tx, caller, 'students promoted', plans)
  return {
    act_id,
    students: form.promotions.map(({ student_id }) => resultFor(plans, ranksAfter, student_id)),
  }
}

export async function previewPromotions(
  tx: Tx,
  caller: Caller,
  form: NewPromotions,
): Promise<PromotionPreview> {
  const plans = await planPromotions(tx, caller, form, newId())
  const news = plans.filter(({ isNews }) => isNews).map(({ student }) => student)
  const readerNames = await namesOfReaders(tx, news)
  return {
    students: plans
      .map(({ student, held, rank }) => ({
        student_id: student.id,
        name: student.name,
        from: held ? heldRankOf(held) : null,
        to: shownRankOf(rank),
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
  const today = await todayOf(tx, caller.dojoId)
  const given_on = form.given_on ?? today
  if (given_on > today) throw invalid('given_on', 'The date must not be in the future.')
  for (const { name, date_of_birth } of students.values())
    if (date_of_birth && given_on < date_of_birth)
      throw invalid('given_on', `${name} was not born yet on this date.`)
  const targets = await ranksToGive(tx, pluck(promotions, 'rank_id'))
  const plans: PromotionPlan[] = []
  for (const [style, stylePromotions] of groupByStyle(promotions, targets)) {
    const ids = pluck(stylePromotions, 'student_id')
    const [ranksByStudent, history] = [
      await heldRanks(tx, style, ids),
      await findEffectiveChanges(tx, style, ids),
    ]
    const allLadders = await laddersOf(tx, style.id)
    for (const { student_id, rank_id, waived = [] } of stylePromotions) {
      const student = getOrThrow(students, student_id),
        { rank } = getOrThrow(targets, rank_id)
      const rows = (history.get(student_id) ?? []).filter(isRankRow)
      const place = planChange(ranksByStudent.get(student_id), rows, {
        student,
        rank,
        given_on,
        kind: form.kind,
        ladders: allLadders,
      })
      plans.push({
        style,
        student,
        held: ranksByStudent.get(student_id),
        rank,
        isNews: place.isNews,
        row: {
          ...place.row,
          ...{ id: newId(), student_id, style_id: style.id, rank_id, act_id, given_on },
          ...{ waived, examiner, note, classes_before },
          belt_level: rank.belt_level,
          changed_by: caller.id,
        },
      })
    }
  }
  return plans
}

type StripeForm = { student_ids: string[]; style_id?: string | undefined }
type StripeOptions = Options & { given_on?: string; numbers?: Map<string, number> }

/** All or none. 422 for more stripes than a rank may have. */
export async function giveStripes(
  tx: Tx,
  caller: Caller,
  { student_ids, style_id }: StripeForm,
  { act_id = newId(), given_on, numbers }: StripeOptions = {},
): Promise<PromotionResult> {
  const students = await lockStudents(tx, student_ids)
  await keepMainStyle(tx)
  const style = await styleOrMain(tx, style_id)
  const ranksByStudent = await heldRanks(tx, style, student_ids)
  const today = given_on ?? (await todayOf(tx, caller.dojoId))
  const plans = student_ids.map((student_id) => {
    const student = getOrThrow(students, student_id),
      has = ranksByStudent.get(student_id),
      number = numbers?.get(student_id) ?? 1
    if (!has) throw invalid('student_ids', `${student.name} has no rank in ${style.name}.`)
    const { rank, stripes } = has
    if (stripes + number > rank.stripes)
      throw invalid('student_ids', tooManyStripes(student.name, rank))
    const { belt_level, id: rank_id } = rank
    const row = {
      ...{ id: newId(), student_id, style_id: style.id, rank_id, act_id, belt_level },
      given_on: today,
      previous_belt: belt_level,
      kind: 'stripe' as const,
      stripes: stripes + number,
      changed_by: caller.id,
    }
    return { style, student, rank, number, stripes: stripes + number, row }
  })
  const ranksAfter = await writeRows(tx, plans)
  await notifyNewStripes(
    tx,
    caller.dojoId,
    plans.map(({ student, rank, row, stripes, number }) => ({
      student,
      rank,
      change_id: row.id,
      stripes,
      given: number,
    })),
  )
  await auditPromoted(tx, caller, 'stripes given', plans)
  return { act_id, students: student_ids.map((id) => resultFor(plans, ranksAfter, id)) }
}

function tooManyStripes(name: string, rank: RankRow): string {
  if (rank.stripes === 0) return `${rank.name} has no stripes.`
  const stripes = `${rank.stripes} ${rank.stripes === 1 ? 'stripe' : 'stripes'}`
  return `${name} would have more than the ${stripes} of ${rank.name}.`
}

type Target = { rank: RankRow; ladder: LadderRow; style: StyleRow }

export async function ranksToGive(tx: Tx, ids: string[]): Promise<Map<string, Target>> {
  const wantedIds = new Set(ids)
  const targets = new Map<string, Target>()
  for (const style of await allStyles(tx))
    for (const ladder of await laddersOf(tx, style.id))
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
  targets: Map<string, Target>,
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
  held: CurrentRank | undefined
  rank: RankRow
  isNews: boolean
  row: NewRow
}
type Step = {
  student: LockedStudent
  rank: RankRow
  given_on: string
  kind: PromotionKind | undefined
  ladders: (LadderRow & { ranks: RankRow[] })[]
}

/** The kind of the new change and the belt before it, by its place in the history. */
function planChange(
  currentRank: CurrentRank | undefined,
  rows: readonly EffectiveChange[],
  step: Step,
) {
  const { student, rank, given_on, kind } = step
  const [head] = rows
  const isLast = !head || head.kind === 'start' || given_on >= head.given_on
  if (!isLast) {
    const earlier = rows.find((row) => row.kind === 'start' || row.given_on <= given_on)
    const previous_belt: Belt = earlier?.belt_level ?? rows.at(-1)!.previous_belt
    return {
      isNews: false,
      row: { kind: explicitKind(kind) ?? ('promotion' as const), previous_belt },
    }
  }
  const isSame = currentRank?.rank.id === rank.id
  const isFirst = !head || head.kind === 'start'
  if (isSame && !isFirst && !explicitKind(kind))
    throw invalid('promotions', `${student.name} already has this rank.`)
  const newKind =
    explicitKind(kind) ?? (isSame ? 'import' : kindOfStep(currentRank?.rank, rank, step.ladders))
  const isNews = !isSame && ['promotion', 'skip', 'conversion'].includes(newKind)
  return {
    isNews,
    row: { kind: newKind, previous_belt: currentRank?.rank.belt_level ?? rank.belt_level },
  }
}

/** `promotion` leaves the kind to the ranks. */
const explicitKind = (kind: PromotionKind | undefined) => (kind === 'promotion' ? undefined : kind)

export function kindOfStep(
  oldRank: RankRow | undefined,
  newRank: RankRow,
  ladders: Step['ladders'],
): PromotionKind {
  if (!oldRank) return 'promotion'
  const isLower = BELTS.indexOf(newRank.belt_level) < BELTS.indexOf(oldRank.belt_level)
  if (oldRank.ladder_id !== newRank.ladder_id) return isLower ? 'correction' : 'conversion'
  if (oldRank.retired_at !== null) return isLower ? 'correction' : 'promotion'
  if (newRank.place < oldRank.place) return 'correction'
  const skippedRanks = ladders
    .flatMap((ladder) => ladder.ranks)
    .filter(
      ({ ladder_id, place, retired_at }) =>
        ladder_id === newRank.ladder_id &&
        !retired_at &&
        place > oldRank.place &&
        place < newRank.place,
    )
  return skippedRanks.length > 0 ? 'skip' : 'promotion'
}

type NewChange = { style: StyleRow; student: LockedStudent; row: NewRow }

/** Inserts changes and updates the belts of the main style. Returns the ranks held then, by
 *  change. */
async function writeRows(tx: Tx, changes: NewChange[]): Promise<Map<string, CurrentRank>> {
  await inChunks(pluck(changes, 'row'), (chunk) => tx.insert(beltChanges).values(chunk))
  const ranksAfter = new Map<string, CurrentRank>()
  for (const styleChanges of Map.groupBy(changes, ({ style }) => style.id).values()) {
    const ids = styleChanges.map(({ student }) => student.id),
      { style } = firstRow(styleChanges)
    const currentRanks = style.is_main
      ? await writeBeltLevels(tx, ids)
      : await heldRanks(tx, style, ids)
    for (const { student, row } of styleChanges)
      ranksAfter.set(row.id, getOrThrow(currentRanks, student.id))
  }
  return ranksAfter
}

function resultFor(
  changes: NewChange[],
  ranksAfter: Map<string, CurrentRank>,
  studentId: string,
): PromotionResult['students'][number] {
  const { row, student } = changes.find((change) => change.student.id === studentId)!
  return {
    promotion_id: row.id,
    student_id: student.id,
    name: student.name,
    rank: heldRankOf(getOrThrow(ranksAfter, row.id)),
  }
}

const auditPromoted = (
  tx: Tx,
  caller: Caller,
  action: 'students promoted' | 'stripes given',
  changes: NewChange[],
) =>
  auditAction(tx, caller, action, {
    ...(changes.length === 1 && { subject_id: firstRow(changes).student.id }),
    details: { students: changes.length },
  })
