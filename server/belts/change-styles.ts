import type { StyleForm } from '@tatami/contract/belts/belts'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { findUnknownClasses } from '../classes/classes.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels } from '../dojos/dojos.ts'
import { gradings } from '../gradings/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { firstRow } from '../lib/rows.ts'
import { saveMainStyle, requireStyle } from './styles.ts'
import { beltChanges, classStyles, styles } from './tables.ts'

export async function addStyle(
  tx: Tx,
  caller: DojoCaller,
  { class_ids, ...form }: StyleForm,
): Promise<string> {
  await requireClasses(tx, class_ids)
  await saveMainStyle(tx)
  const newRows = await tx
    .insert(styles)
    .values({ ...form, is_main: false })
    .returning({ id: styles.id })
  const { id } = firstRow(newRows)
  await addClasses(tx, id, class_ids)
  await auditAction(tx, caller, 'style added', { details: { name: form.name } })
  return id
}

export async function changeStyle(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  { class_ids, ...form }: StyleForm,
): Promise<void> {
  await saveMainStyle(tx)
  await requireStyle(tx, id)
  await requireClasses(tx, class_ids)
  await tx.update(styles).set(form).where(eq(styles.id, id))
  await tx.delete(classStyles).where(eq(classStyles.style_id, id))
  await addClasses(tx, id, class_ids)
  await auditAction(tx, caller, 'style changed', { details: { name: form.name } })
}

/** Throws 409 for the main style, and for a style in which a student has had a rank or a belt
 *  test. */
export async function removeStyle(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const style = await requireStyle(tx, id)
  if (style.is_main) throw new Refusal(409, 'The main style can’t be removed.')
  if ((await tx.$count(beltChanges, eq(beltChanges.style_id, id))) > 0)
    throw new Refusal(
      409,
      'This style can’t be removed, because a student has or had a rank in it.',
    )
  if ((await tx.$count(gradings, eq(gradings.style_id, id))) > 0) {
    const { singular } = await readBeltTestLabels(tx)
    throw new Refusal(409, `This style can’t be removed, because it has a ${singular}.`)
  }
  await tx.delete(styles).where(eq(styles.id, id))
  await auditAction(tx, caller, 'style removed', { details: { name: style.name } })
}

async function requireClasses(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length > 0 && (await findUnknownClasses(tx, ids)).length > 0) throw notFound('Class')
}

const addClasses = async (tx: Tx, style_id: string, ids: string[]): Promise<void> => {
  const rows = [...new Set(ids)].map((class_id) => ({ class_id, style_id }))
  if (rows.length > 0) await tx.insert(classStyles).values(rows)
}
