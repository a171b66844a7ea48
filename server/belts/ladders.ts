import type { LadderForm } from '@tatami/contract/belts/ladder-form'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { heldRanks } from './held-ranks.ts'
import { keepRanks } from './keep-ranks.ts'
import { copyTemplate, findTemplate } from './ladder-templates.ts'
import { saveRanks, usedRanks } from './save-ranks.ts'
import { keepMainStyle, ladderById, laddersOf, type LadderWithRanks, styleById } from './styles.ts'
import { ladders } from './tables.ts'

export async function addLadder(
  tx: Tx,
  caller: Member,
  styleId: string,
  form: { template: string } | LadderForm,
): Promise<string> {
  await keepMainStyle(tx)
  const style = await styleById(tx, styleId)
  const id = await keepRanks(tx, caller, style, () =>
    'template' in form ? copyNamed(tx, styleId, form.template) : draw(tx, styleId, form),
  )
  const { ladder } = await ladderById(tx, id)
  await auditAction(tx, caller, 'ladder added', { subject_id: id, details: { name: ladder.name } })
  return id
}

async function copyNamed(tx: Tx, styleId: string, name: string): Promise<string> {
  const template = findTemplate(name)
  if (!template) throw notFound('Template')
  return copyTemplate(tx, styleId, template)
}

async function draw(
  tx: Tx,
  style_id: string,
  { ranks: forms, ...fields }: LadderForm,
): Promise<string> {
  requireContinuation(fields.continues_as, await laddersOf(tx, style_id))
  const [newLadder] = await tx
    .insert(ladders)
    .values({ ...fields, style_id })
    .returning({ id: ladders.id })
  await saveRanks(tx, newLadder!.id, [], forms, new Set())
  return newLadder!.id
}

/** Everybody keeps their rank, even if the ladder no longer has it. */
export async function changeLadder(
  tx: Tx,
  caller: Member,
  id: string,
  form: LadderForm,
): Promise<void> {
  const { name, min_age, max_age, age_counts, continues_as } = form
  await keepMainStyle(tx)
  const { style, ladder, all } = await ladderById(tx, id)
  if (continues_as === id) throw invalid('continues_as', 'A ladder cannot continue as itself.')
  requireContinuation(continues_as, all)
  await keepRanks(tx, caller, style, async (ranksByStudent) => {
    await tx
      .update(ladders)
      .set({ name, min_age, max_age, age_counts, continues_as })
      .where(eq(ladders.id, id))
    const heldIds = new Set([...ranksByStudent.values()].map(({ rank }) => rank.id))
    await saveRanks(tx, id, ladder.ranks, form.ranks, heldIds)
  })
  await auditAction(tx, caller, 'ladder changed', { subject_id: id, details: { name } })
}

function requireContinuation(id: string | null, styleLadders: LadderWithRanks[]): void {
  if (id !== null && !styleLadders.some((ladder) => ladder.id === id)) throw notFound('Ladder')
}

/** A ladder in somebody's history is only retired. 409 while anybody has a rank of it, and for
 *  the last one of the main style. */
export async function removeLadder(tx: Tx, caller: Member, id: string): Promise<void> {
  await keepMainStyle(tx)
  const { style, ladder, all } = await ladderById(tx, id)
  const otherLadders = all.filter(
    (styleLadder) => styleLadder.id !== id && styleLadder.retired_at === null,
  )
  if (style.is_main && otherLadders.length === 0)
    throw new Refusal(409, 'The main style needs a ladder. Add another one first.')
  const standing = [...(await heldRanks(tx, style, null)).values()].filter(
    ({ rank }) => rank.ladder_id === id,
  ).length
  if (standing > 0)
    throw new Refusal(
      409,
      `${standing === 1 ? '1 student has' : `${standing} students have`} a rank of this ladder. ` +
        'Convert them first.',
    )
  await tx.update(ladders).set({ continues_as: null }).where(eq(ladders.continues_as, id))
  const usedIds = await usedRanks(
    tx,
    ladder.ranks.map((rank) => rank.id),
  )
  if (usedIds.size === 0) await tx.delete(ladders).where(eq(ladders.id, id))
  else if (ladder.retired_at === null)
    await tx.update(ladders).set({ retired_at: nowIso() }).where(eq(ladders.id, id))
  await auditAction(tx, caller, 'ladder removed', {
    subject_id: id,
    details: { name: ladder.name },
  })
}
