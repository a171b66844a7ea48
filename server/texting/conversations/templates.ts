import { type MessageTemplate, TEMPLATES_MAX } from '@tatami/contract/texting/conversations'
import { asc, eq, sql } from 'drizzle-orm'
import { auditAct } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import type { Member } from '../../http/serve.ts'
import { notFound, Refusal } from '../../lib/refusal.ts'
import { pick } from '../../lib/rows.ts'
import { messageTemplates } from './tables.ts'

type Words = Pick<MessageTemplate, 'name' | 'text'>
const columns = {
  ...pick(messageTemplates, 'id', 'name', 'text'),
}

export const listTemplates = (tx: Tx): Promise<MessageTemplate[]> =>
  tx
    .select(columns)
    .from(messageTemplates)
    .orderBy(asc(sql`lower(${messageTemplates.name})`), asc(messageTemplates.id))

export async function addTemplate(tx: Tx, words: Words): Promise<MessageTemplate> {
  if ((await tx.$count(messageTemplates)) >= TEMPLATES_MAX)
    throw new Refusal(409, `There are ${TEMPLATES_MAX} templates already. Delete one first.`)
  const [template] = await tx.insert(messageTemplates).values(words).returning(columns)
  return template!
}

export async function changeTemplate(tx: Tx, id: string, words: Words): Promise<MessageTemplate> {
  const [template] = await tx
    .update(messageTemplates)
    .set(words)
    .where(eq(messageTemplates.id, id))
    .returning(columns)
  if (!template) throw notFound('Template')
  return template
}

export async function removeTemplate(tx: Tx, caller: Member, id: string): Promise<void> {
  const [template] = await tx
    .delete(messageTemplates)
    .where(eq(messageTemplates.id, id))
    .returning({ id: messageTemplates.id })
  if (!template) throw notFound('Template')
  await auditAct(tx, caller, 'template deleted')
}
