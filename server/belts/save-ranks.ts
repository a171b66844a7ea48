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

/** `idsInUse` has the ids of ranks that students have now. */
type SavedLadder = { ranks: RankRow[]; idsInUse: Set<string> }

/** Deletes ranks that the form leaves out, or retires them if they are or were in use. Throws 404
 *  for ids of another ladder. */
export async function saveRanks(
  tx: Tx,
  ladderId: string,
  { ranks: savedRanks, idsInUse }: SavedLadder,
  rankForms: RankForm[],
): Promise<void> {
  const idsInForm = rankForms.flatMap(({ id }) => id ?? [])
  const savedRanksById = new Map(savedRanks.map((rank) => [rank.id, rank]))
  requireExistingIds(idsInForm, new Set(savedRanksById.keys()), 'Rank')
  await removeRanks(
    tx,
    savedRanks.filter(({ id }) => !idsInForm.includes(id)),
    rankForms.length,
    idsInUse,
  )
  const rankSkillsInForm: RankSkills[] = []
  const newRanks: (typeof ranks.$inferInsert)[] = []
  for (const [place, { id = newId(), skills: rankSkills, ...fields }] of rankForms.entries()) {
    const values = { ...fields, place, retired_at: null }
    const savedRank = savedRanksById.get(id)
    if (!savedRank) newRanks.push({ ...values, id, ladder_id: ladderId })
    else if (!hasValues(savedRank, values))
      await tx.update(ranks).set(values).where(eq(ranks.id, id))
    rankSkillsInForm.push({ id, skills: rankSkills })
  }
  if (newRanks.length > 0) await tx.insert(ranks).values(newRanks)
  await saveSkills(tx, rankSkillsInForm)
}

/** Returns whether the row already has these values. An undefined value does not change its
 *  column. */
function hasValues(row: object, values: object): boolean {
  const definedValues = Object.entries(values).filter(([, value]) => value !== undefined)
  return isDeepStrictEqual({ ...row, ...Object.fromEntries(definedValues) }, row)
}

/** Retired ranks come after all others, from `firstPlace` on. */
async function removeRanks(
  tx: Tx,
  removedRanks: RankRow[],
  firstPlace: number,
  idsInUse: Set<string>,
): Promise<void> {
  if (removedRanks.length === 0) return
  const usedIds = await findUsedRankIds(tx, pluck(removedRanks, 'id'))
  const isUsed = ({ id }: RankRow) => idsInUse.has(id) || usedIds.has(id)
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

/** Returns the ids of ranks that are in a student's history or in a belt test. */
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

async function saveSkills(tx: Tx, rankSkillsInForm: RankSkills[]): Promise<void> {
  const savedSkills = await tx
    .select()
    .from(skills)
    .where(equalsAny(skills.rank_id, pluck(rankSkillsInForm, 'id')))
  const skillsById = new Map(savedSkills.map((skill) => [skill.id, skill]))
  const idsInForm = rankSkillsInForm.flatMap((rank) => rank.skills.flatMap(({ id }) => id ?? []))
  requireExistingIds(idsInForm, new Set(skillsById.keys()), 'Skill')
  const removedSkills = savedSkills.filter(
    ({ id, retired_at }) => retired_at === null && !idsInForm.includes(id),
  )
  const newSkills: (typeof skills.$inferInsert)[] = []
  for (const { id: rank_id, skills: rankSkills } of rankSkillsInForm)
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

function requireExistingIds(
  idsInForm: string[],
  existingIds: Set<string>,
  entity: 'Rank' | 'Skill',
): void {
  if (idsInForm.some((id) => !existingIds.has(id))) throw notFound(entity)
  if (new Set(idsInForm).size < idsInForm.length)
    throw invalid('ranks', `A ${entity.toLowerCase()} is listed twice.`)
}
