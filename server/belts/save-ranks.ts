import { isDeepStrictEqual } from 'node:util'
import type { RankForm } from '@tatami/contract/belts/ladder-form'
import { eq, inArray } from 'drizzle-orm'
import { equalsAny, inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { candidates } from '../gradings/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { getOrThrow, pluck } from '../lib/rows.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import type { RankRow } from './styles.ts'
import { beltChanges, ranks, skillChecks, skills } from './tables.ts'

type SavedRank = { id: string; skills: RankForm['skills'] }

/** Saves a ladder's ranks and skills. A rank left out is deleted, or retired behind the others
 *  if somebody has or had it. So is a skill that was ever checked. 404 for a rank or skill of
 *  another ladder. */
export async function saveRanks(
  tx: Tx,
  ladderId: string,
  ranksBefore: RankRow[],
  forms: RankForm[],
  heldIds: Set<string>,
): Promise<void> {
  const namedIds = forms.flatMap(({ id }) => id ?? [])
  const ranksById = new Map(ranksBefore.map((rank) => [rank.id, rank]))
  requireKnown(namedIds, new Set(ranksById.keys()), 'Rank')
  await removeRanks(
    tx,
    ranksBefore.filter(({ id }) => !namedIds.includes(id)),
    forms.length,
    heldIds,
  )
  const savedRanks: SavedRank[] = []
  const newRanks: (typeof ranks.$inferInsert)[] = []
  for (const [place, { id, skills: checklist, ...fields }] of forms.entries()) {
    const values = { ...fields, place, retired_at: null }
    if (id) {
      if (!hasValues(getOrThrow(ranksById, id), values))
        await tx.update(ranks).set(values).where(eq(ranks.id, id))
    } else newRanks.push({ ...values, id: newId(), ladder_id: ladderId })
    savedRanks.push({ id: id ?? newRanks.at(-1)!.id!, skills: checklist })
  }
  if (newRanks.length > 0) await tx.insert(ranks).values(newRanks)
  await saveSkills(tx, savedRanks)
}

const hasValues = (row: RankRow, values: object): boolean =>
  Object.entries(values).every(
    ([column, value]) =>
      value === undefined || isDeepStrictEqual(row[column as keyof RankRow], value),
  )

async function removeRanks(
  tx: Tx,
  rows: RankRow[],
  firstPlace: number,
  heldIds: Set<string>,
): Promise<void> {
  if (rows.length === 0) return
  const ids = pluck(rows, 'id')
  const usedIds = await usedRanks(tx, ids)
  const keptRanks = rows.filter(({ id }) => heldIds.has(id) || usedIds.has(id))
  const deletedIds = rows.filter((row) => !keptRanks.includes(row)).map(({ id }) => id)
  if (deletedIds.length > 0) await tx.delete(ranks).where(inArray(ranks.id, deletedIds))
  for (const [index, { id, retired_at }] of keptRanks.entries())
    await tx
      .update(ranks)
      .set({ place: firstPlace + index, retired_at: retired_at ?? nowIso() })
      .where(eq(ranks.id, id))
}

/** The ranks in somebody's history or in a test, which cannot be deleted. */
export async function usedRanks(tx: Tx, ids: string[]): Promise<Set<string>> {
  const historyRows = await tx
    .selectDistinct({ id: beltChanges.rank_id })
    .from(beltChanges)
    .where(equalsAny(beltChanges.rank_id, ids))
  const gradingRows = await tx
    .selectDistinct({ id: candidates.to_rank_id })
    .from(candidates)
    .where(equalsAny(candidates.to_rank_id, ids))
  return new Set([...historyRows, ...gradingRows].map(({ id }) => id!))
}

async function saveSkills(tx: Tx, savedRanks: SavedRank[]): Promise<void> {
  const skillsBefore = await tx
    .select()
    .from(skills)
    .where(equalsAny(skills.rank_id, pluck(savedRanks, 'id')))
  const skillsById = new Map(skillsBefore.map((skill) => [skill.id, skill]))
  const namedIds = savedRanks.flatMap((rank) => rank.skills.flatMap(({ id }) => id ?? []))
  requireKnown(namedIds, new Set(skillsById.keys()), 'Skill')
  const removedSkills = skillsBefore.filter(({ id }) => !namedIds.includes(id))
  const newSkills: (typeof skills.$inferInsert)[] = []
  for (const { id: rank_id, skills: checklist } of savedRanks)
    for (const [place, { id, name, required }] of checklist.entries()) {
      const skill = id ? getOrThrow(skillsById, id) : undefined
      if (!skill) newSkills.push({ rank_id, place, name, required })
      else if (skill.rank_id !== rank_id) throw notFound('Skill')
      else if (
        skill.place !== place ||
        skill.name !== name ||
        skill.required !== required ||
        skill.retired_at !== null
      )
        await tx
          .update(skills)
          .set({ place, name, required, retired_at: null })
          .where(eq(skills.id, skill.id))
    }
  await inChunks(newSkills, (chunk) => tx.insert(skills).values(chunk))
  await removeSkills(
    tx,
    removedSkills.filter(({ retired_at }) => retired_at === null).map(({ id }) => id),
  )
}

async function removeSkills(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const checkedRows = await tx
    .selectDistinct({ id: skillChecks.skill_id })
    .from(skillChecks)
    .where(equalsAny(skillChecks.skill_id, ids))
  const checkedIds = new Set(pluck(checkedRows, 'id'))
  const deletedIds = ids.filter((id) => !checkedIds.has(id))
  if (deletedIds.length > 0) await tx.delete(skills).where(equalsAny(skills.id, deletedIds))
  if (checkedIds.size > 0)
    await tx
      .update(skills)
      .set({ retired_at: nowIso() })
      .where(equalsAny(skills.id, [...checkedIds]))
}

function requireKnown(namedIds: string[], knownIds: Set<string>, entity: 'Rank' | 'Skill'): void {
  if (namedIds.some((id) => !knownIds.has(id))) throw notFound(entity)
  if (new Set(namedIds).size < namedIds.length)
    throw invalid('ranks', `A ${entity.toLowerCase()} is named twice.`)
}
