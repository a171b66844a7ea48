import { type MessageTemplate, TEMPLATES_MAX } from '@tatami/contract/texting/conversations'
import { eq } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import { byName } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { notFound, Refusal } from '../../lib/refusal.ts'
import { firstRow, pick } from '../../lib/rows.ts'
import { messageTemplates } from './tables.ts'

type TemplateForm = Pick<MessageTemplate, 'name' | 'text'>
const columns = pick(messageTemplates, 'id', 'name', 'text')

export const listTemplates = (tx: Tx): Promise<MessageTemplate[]> =>
  tx
    .select(columns)
    .from(messageTemplates)
    .orderBy(...byName(messageTemplates))

export async function addTemplate(tx: Tx, form: TemplateForm): Promise<MessageTemplate> {
  if ((await tx.$count(messageTemplates)) >= TEMPLATES_MAX)
    throw new Refusal(409, `You already have ${TEMPLATES_MAX} templates. Delete one first.`)
  return firstRow(await tx.insert(messageTemplates).values(form).returning(columns))
}

export async function changeTemplate(
  tx: Tx,
  id: string,
  form: TemplateForm,
): Promise<MessageTemplate> {
  const [template] = await tx
    .update(messageTemplates)
    .set(form)
    .where(eq(messageTemplates.id, id))
    .returning(columns)
  if (!template) throw notFound('Template')
  return template
}

export async function removeTemplate(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const [template] = await tx
    .delete(messageTemplates)
    .where(eq(messageTemplates.id, id))
    .returning({ id: messageTemplates.id })
  if (!template) throw notFound('Template')
  await auditAction(tx, caller, 'template deleted')
}
