import type { Grading, GradingForm, NewGrading } from '@tatami/contract/gradings/gradings'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { saveMainStyle, findStyleOrMain } from '../belts/styles.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { invalid } from '../lib/refusal.ts'
import { firstRow, pluck } from '../lib/rows.ts'
import { addCandidates } from './candidates.ts'
import { forgiveFees } from './fees.ts'
import { findCandidates, lockUnfinished, readGrading } from './read-grading.ts'
import { gradings } from './tables.ts'

/** Throws 404 for an unknown style, student or rank, 422 for a rank of another style. */
export async function createGrading(
  tx: Tx,
  caller: DojoCaller,
  { style_id, candidates = [], ...form }: NewGrading,
): Promise<Grading> {
  requireValidDates(form)
  await saveMainStyle(tx)
  const style = await findStyleOrMain(tx, style_id)
  const newRows = await tx
    .insert(gradings)
    .values({ ...form, style_id: style.id })
    .returning()
  const grading = firstRow(newRows)
  await addCandidates(tx, grading, candidates)
  await auditAction(tx, caller, 'grading planned', {
    details: { grading: form.name, day: form.held_on, students: candidates.length },
  })
  return readGrading(tx, grading.id)
}

function requireValidDates({
  held_on,
  answer_until,
}: Pick<GradingForm, 'held_on' | 'answer_until'>) {
  if (answer_until && answer_until > held_on)
    throw invalid('answer_until', 'The last day for answers must not be after the event.')
}

export async function changeGrading(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  form: GradingForm,
): Promise<Grading> {
  const grading = await lockUnfinished(tx, id)
  requireValidDates({
    ...form,
    answer_until: form.answer_until === undefined ? grading.answer_until : form.answer_until,
  })
  await tx.update(gradings).set(form).where(eq(gradings.id, id))
  await auditAction(tx, caller, 'grading changed', {
    details: { grading: form.name, day: form.held_on },
  })
  return readGrading(tx, id)
}

export async function removeGrading(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const grading = await lockUnfinished(tx, id)
  const rows = pluck(await findCandidates(tx, id), 'candidate')
  await forgiveFees(tx, caller, grading, rows)
  await tx.delete(gradings).where(eq(gradings.id, id))
  await auditAction(tx, caller, 'grading removed', {
    details: { grading: grading.name, day: grading.held_on, students: rows.length },
  })
}
