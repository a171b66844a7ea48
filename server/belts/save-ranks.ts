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

type RankSkills = { id: string; skills: RankForm['skills'] }

/** `heldIds` has the ids of ranks that students have now. */
type SavedLadder = { ranksBefore: RankRow[]; heldIds: Set<string> }

/** Deletes ranks that the form leaves out, or retires them if they are or were in use. Throws 404
 *  for ids of another ladder. */
export async function saveRanks(
  tx: Tx,
  ladderId: string,
  { ranksBefore, heldIds }: SavedLadder,
  rankForms: RankForm[],
): Promise<void> {
  const namedIds = rankForms.flatMap(({ id }) => id ?? [])
  const indexRanksById = new Map(ranksBefore.map((rank) => [rank.id, rank]))
  requireKnownIds(namedIds, new Set(indexRanksById.keys()), 'Rank')
  await removeRanks(
    tx,
    ranksBefore.filter(({ id }) => !namedIds.includes(id)),
    rankForms.length,
    heldIds,
  )
  const savedRanks: RankSkills[] = []
  const newRanks: (typeof ranks.$inferInsert)[] = []
  for (const [place, { id = newId(), skills: rankSkills, ...fields }] of rankForms.entries()) {
    const values = { ...fields, place, retired_at: null }
    const rankBefore = indexRanksById.get(id)
    if (!rankBefore) newRanks.push({ ...values, id, ladder_id: ladderId })
    else if (!hasValues(rankBefore, values))
      await tx.update(ranks).set(values).where(eq(ranks.id, id))
    savedRanks.push({ id, skills: rankSkills })
  }
  if (newRanks.length > 0) await tx.insert(ranks).values(newRanks)
  await saveSkills(tx, savedRanks)
}

/** An undefined value leaves its column unchanged. */
function hasValues(row: object, values: object): boolean {
  const definedValues = Object.entries(values).filter(([, value]) => value !== undefined)
  return isDeepStrictEqual({ ...row, ...Object.fromEntries(definedValues) }, row)
}

/** Ranks that are retired instead of deleted come after all others, from `firstPlace` on. */
async function removeRanks(
  tx: Tx,
  removedRanks: RankRow[],
  firstPlace: number,
  heldIds: Set<string>,
): Promise<void> {
  if (removedRanks.length === 0) return
  const usedIds = await findUsedRankIds(tx, pluck(removedRanks, 'id'))
  const isUsed = ({ id }: RankRow) => heldIds.has(id) || usedIds.has(id)
  const retiredRanks = removedRanks.filter((rank) => isUsed(rank))
  const deletedRanks = removedRanks.filter((rank) => !isUsed(rank))
  if (deletedRanks.length > 0)
    await tx.delete(ranks).where(inArray(ranks.id, pluck(deletedRanks, 'id')))
  for (const [index, { id, retired_at }] of retiredRanks.entries())
    await tx
      .update(ranks)
      .set({ place: firstPlace + index, retired_at: retired_at ?? nowIso() })
      .where(eq(ranks.id, id))
}

export async function findUsedRankIds(tx: Tx, ids: string[]): Promise<Set<string>> {
  const historyRows = await tx
    .selectDistinct({ id: beltChanges.rank_id })
    .from(beltChanges)
    .where(equalsAny(beltChanges.rank_id, ids))
  const gradingRows = await tx
    .selectDistinct({ id: candidates.to_rank_id })
    .from(candidates)
    .where(equalsAny(candidates.to_rank_id, ids))
  return new Set([...historyRows, ...gradingRows].flatMap(({ id }) => id ?? []))
}

async function saveSkills(tx: Tx, savedRanks: RankSkills[]): Promise<void> {
  const skillsBefore = await tx
    .select()
    .from(skills)
    .where(equalsAny(skills.rank_id, pluck(savedRanks, 'id')))
  const skillsById = new Map(skillsBefore.map((skill) => [skill.id, skill]))
  const namedIds = savedRanks.flatMap((rank) => rank.skills.flatMap(({ id }) => id ?? []))
  requireKnownIds(namedIds, new Set(skillsById.keys()), 'Skill')
  const removedSkills = skillsBefore.filter(
    ({ id, retired_at }) => retired_at === null && !namedIds.includes(id),
  )
  const newSkills: (typeof skills.$inferInsert)[] = []
  for (const { id: rank_id, skills: rankSkills } of savedRanks)
    for (const [place, { id, name, required }] of rankSkills.entries()) {
      const skill = id ? getOrThrow(skillsById, id) : undefined
      const values = { place, name, required, retired_at: null }
      if (!skill) newSkills.push({ rank_id, place, name, required })
      else if (skill.rank_id !== rank_id) throw notFound('Skill')
      else if (!hasValues(skill, values))
        await tx.update(skills).set(values).where(eq(skills.id, skill.id))
    }
  await inChunks(newSkills, (chunk) => tx.insert(skills).values(chunk))
  await removeSkills(tx, pluck(removedSkills, 'id'))
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

function requireKnownIds(
  namedIds: string[],
  knownIds: Set<string>,
  entity: 'Rank' | 'Skill',
): void {
  if (namedIds.some((id) => !knownIds.has(id))) throw notFound(entity)
  if (new Set(namedIds).size < namedIds.length)
    throw invalid('ranks', `A ${entity.toLowerCase()} is listed twice.`)
}
