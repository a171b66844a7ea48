import { isDeepStrictEqual } from 'node:util'
import type { RankForm } from '@tatami/contract/belts/ladder-form'
import { eq, inArray } from 'drizzle-orm'
import { equalsAny, inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { candidates } from '../gradings/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import type { RankRow } from './styles.ts'
import { beltChanges, ranks, skillChecks, skills } from './tables.ts'

type SavedRank = { id: string; skills: RankForm['skills'] }

/**
 * Writes a ladder's ranks and their skills as its editor has them, `before` being those that it had. A rank left out is deleted, or retired
 * where it is in `heldIds` or in somebody's history, and goes behind the others; so does a skill that was checked. 404 for a rank or a skill
 * that is not of this ladder.
 */
export async function saveRanks(
  tx: Tx,
  ladderId: string,
  before: RankRow[],
  forms: RankForm[],
  heldIds: Set<string>,
): Promise<void> {
  const named = forms.flatMap(({ id }) => id ?? [])
  const known = new Map(before.map((rank) => [rank.id, rank]))
  requireKnown(named, new Set(known.keys()), 'Rank')
  await leaveOut(
    tx,
    before.filter(({ id }) => !named.includes(id)),
    forms.length,
    heldIds,
  )
  const saved: SavedRank[] = []
  const added: (typeof ranks.$inferInsert)[] = []
  for (const [place, { id, skills: checklist, ...fields }] of forms.entries()) {
    const values = { ...fields, place, retired_at: null }
    if (id) {
      if (!isAs(known.get(id)!, values)) await tx.update(ranks).set(values).where(eq(ranks.id, id))
    } else added.push({ ...values, id: newId(), ladder_id: ladderId })
    saved.push({ id: id ?? added.at(-1)!.id!, skills: checklist })
  }
  if (added.length > 0) await tx.insert(ranks).values(added)
  await saveSkills(tx, saved)
}

/** Whether a row has these values already; what is left out stays as it is. */
const isAs = (row: RankRow, values: object): boolean =>
  Object.entries(values).every(
    ([column, value]) =>
      value === undefined || isDeepStrictEqual(row[column as keyof RankRow], value),
  )

/** Ranks that the ladder has no more. Those that anybody has or had are only retired. */
async function leaveOut(
  tx: Tx,
  rows: RankRow[],
  firstPlace: number,
  heldIds: Set<string>,
): Promise<void> {
  if (rows.length === 0) return
  const ids = pluck(rows, 'id')
  const used = await usedRanks(tx, ids)
  const kept = rows.filter(({ id }) => heldIds.has(id) || used.has(id))
  const gone = rows.filter((row) => !kept.includes(row)).map(({ id }) => id)
  if (gone.length > 0) await tx.delete(ranks).where(inArray(ranks.id, gone))
  for (const [at, { id, retired_at }] of kept.entries())
    await tx
      .update(ranks)
      .set({ place: firstPlace + at, retired_at: retired_at ?? nowIso() })
      .where(eq(ranks.id, id))
}

/** Which of these ranks stand in somebody's history or in a grading, so that they cannot be deleted. */
export async function usedRanks(tx: Tx, ids: string[]): Promise<Set<string>> {
  const given = await tx
    .selectDistinct({ id: beltChanges.rank_id })
    .from(beltChanges)
    .where(equalsAny(beltChanges.rank_id, ids))
  const asked = await tx
    .selectDistinct({ id: candidates.to_rank_id })
    .from(candidates)
    .where(equalsAny(candidates.to_rank_id, ids))
  return new Set([...given, ...asked].map(({ id }) => id!))
}

async function saveSkills(tx: Tx, saved: SavedRank[]): Promise<void> {
  const before = await tx
    .select()
    .from(skills)
    .where(equalsAny(skills.rank_id, pluck(saved, 'id')))
  const known = new Map(before.map((skill) => [skill.id, skill]))
  const named = saved.flatMap((rank) => rank.skills.flatMap(({ id }) => id ?? []))
  requireKnown(named, new Set(known.keys()), 'Skill')
  const left = before.filter(({ id }) => !named.includes(id))
  const added: (typeof skills.$inferInsert)[] = []
  for (const { id: rank_id, skills: checklist } of saved)
    for (const [place, { id, name, required }] of checklist.entries()) {
      const skill = id ? known.get(id)! : undefined
      if (!skill) added.push({ rank_id, place, name, required })
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
  await inChunks(added, (some) => tx.insert(skills).values(some))
  await leaveSkillsOut(
    tx,
    left.filter(({ retired_at }) => retired_at === null).map(({ id }) => id),
  )
}

async function leaveSkillsOut(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const checked = await tx
    .selectDistinct({ id: skillChecks.skill_id })
    .from(skillChecks)
    .where(equalsAny(skillChecks.skill_id, ids))
  const checkedIds = new Set(pluck(checked, 'id'))
  const gone = ids.filter((id) => !checkedIds.has(id))
  if (gone.length > 0) await tx.delete(skills).where(equalsAny(skills.id, gone))
  if (checkedIds.size > 0)
    await tx
      .update(skills)
      .set({ retired_at: nowIso() })
      .where(equalsAny(skills.id, [...checkedIds]))
}

function requireKnown(named: string[], known: Set<string>, what: 'Rank' | 'Skill'): void {
  if (named.some((id) => !known.has(id))) throw notFound(what)
  if (new Set(named).size < named.length)
    throw invalid('ranks', `A ${what.toLowerCase()} is named twice.`)
}
