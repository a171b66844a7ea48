import type { LadderForm } from '@tatami/contract/belts/ladder-form'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { findRanksOfCurrentStudents } from './current-ranks.ts'
import { preserveRanks } from './preserve-ranks.ts'
import { copyTemplate, findTemplate } from './ladder-templates.ts'
import { saveRanks, findUsedRankIds } from './save-ranks.ts'
import {
  saveMainStyle,
  requireLadder,
  findLadders,
  type LadderWithRanks,
  requireStyle,
} from './styles.ts'
import { firstRow, pluck } from '../lib/rows.ts'
import { ladders } from './tables.ts'

export async function addLadder(
  tx: Tx,
  caller: DojoCaller,
  styleId: string,
  form: { template: string } | LadderForm,
): Promise<string> {
  await saveMainStyle(tx)
  const style = await requireStyle(tx, styleId)
  const id = await preserveRanks(tx, caller, style, () =>
    'template' in form
      ? copyTemplateById(tx, styleId, form.template)
      : createLadder(tx, styleId, form),
  )
  const { ladder } = await requireLadder(tx, id)
  await auditAction(tx, caller, 'ladder added', { subject_id: id, details: { name: ladder.name } })
  return id
}

async function copyTemplateById(tx: Tx, styleId: string, name: string): Promise<string> {
  const template = findTemplate(name)
  if (!template) throw notFound('Template')
  return copyTemplate(tx, styleId, template)
}

async function createLadder(
  tx: Tx,
  style_id: string,
  { ranks: rankForms, ...fields }: LadderForm,
): Promise<string> {
  requireContinuation(fields.continues_as, await findLadders(tx, style_id))
  const newRows = await tx
    .insert(ladders)
    .values({ ...fields, style_id })
    .returning({ id: ladders.id })
  const { id } = firstRow(newRows)
  await saveRanks(tx, id, { ranks: [], idsInUse: new Set() }, rankForms)
  return id
}

/** Saves a ladder. A student keeps their rank even if the form leaves it out. */
export async function changeLadder(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  form: LadderForm,
): Promise<void> {
  const { name, min_age, max_age, age_counts, continues_as } = form
  await saveMainStyle(tx)
  const { style, ladder, styleLadders } = await requireLadder(tx, id)
  if (continues_as === id) throw invalid('continues_as', 'A ladder can’t continue as itself.')
  requireContinuation(continues_as, styleLadders)
  await preserveRanks(tx, caller, style, async (ranksByStudent) => {
    await tx
      .update(ladders)
      .set({ name, min_age, max_age, age_counts, continues_as })
      .where(eq(ladders.id, id))
    const idsInUse = new Set([...ranksByStudent.values()].map(({ rank }) => rank.id))
    await saveRanks(tx, id, { ranks: ladder.ranks, idsInUse }, form.ranks)
  })
  await auditAction(tx, caller, 'ladder changed', { subject_id: id, details: { name } })
}

function requireContinuation(id: string | null, styleLadders: LadderWithRanks[]): void {
  if (id !== null && !styleLadders.some((ladder) => ladder.id === id)) throw notFound('Ladder')
}

/** Deletes a ladder, or retires it if it is in a student's history. Throws 409 if students are on
 *  it, or if the main style has no other ladder. */
export async function removeLadder(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  await saveMainStyle(tx)
  const { style, ladder, styleLadders } = await requireLadder(tx, id)
  const otherLadders = styleLadders.filter(
    (otherLadder) => otherLadder.id !== id && otherLadder.retired_at === null,
  )
  if (style.is_main && otherLadders.length === 0)
    throw new Refusal(409, 'The main style needs a ladder. Add another one first.')
  const currentRanks = [...(await findRanksOfCurrentStudents(tx, style)).values()]
  const holderCount = currentRanks.filter(({ rank }) => rank.ladder_id === id).length
  if (holderCount > 0)
    throw new Refusal(
      409,
      `${holderCount === 1 ? '1 student has' : `${holderCount} students have`} a rank of this ` +
        'ladder. Move them to another ladder first.',
    )
  await tx.update(ladders).set({ continues_as: null }).where(eq(ladders.continues_as, id))
  const usedIds = await findUsedRankIds(tx, pluck(ladder.ranks, 'id'))
  if (usedIds.size === 0) await tx.delete(ladders).where(eq(ladders.id, id))
  else if (ladder.retired_at === null)
    await tx.update(ladders).set({ retired_at: nowIso() }).where(eq(ladders.id, id))
  await auditAction(tx, caller, 'ladder removed', {
    subject_id: id,
    details: { name: ladder.name },
  })
}
