import { and, eq, inArray, sql } from 'drizzle-orm'
import { nowIso } from '../lib/clock.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { takeWhole } from './allowance.ts'
import { messageBatches, messages } from './tables.ts'
import { lineUp } from './delivery/queue.ts'

export const MAY_GO_AGAIN = ['failed', 'undelivered', 'uncertain'] as const

/** What of a batch failed or is uncertain, all of it or of the messages named, held until the transaction ends. */
export async function holdForAgain(tx: Tx, batchId: string, ids: string[] | null | undefined) {
  const [batch] = await tx.select().from(messageBatches).where(eq(messageBatches.id, batchId))
  if (!batch) throw notFound('Message')
  const texts = await tx
    .select({ id: messages.id, student_id: messages.student_id })
    .from(messages)
    .where(and(eq(messages.batch_id, batchId), inArray(messages.state, [...MAY_GO_AGAIN]), ids ? inArray(messages.id, ids) : undefined))
    .for('update')
  return { batch, texts }
}

/**
 * Queues them off today's allowance, all or none, each to its phone. Of what is uncertain the provider is asked before it is sent: it
 * may know by now.
 */
export async function queueAgain(tx: Tx, dojoId: string, batchId: string, texts: { id: string; phone: string }[]): Promise<void> {
  if (texts.length === 0) return
  const day = await takeWhole(tx, dojoId, texts.length, 'sent again')
  await tx.execute(sql`
    update messages m set state = case when m.state = 'uncertain' and m.phone = r.phone then 'in_doubt' else 'queued' end,
      phone = r.phone, allowance_day = ${day}, reason = null, error_code = null, provider_id = null, claim = null,
      unanswered = 0, due_at = clock_timestamp(), updated_at = ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(id uuid, phone text) where m.id = r.id`)
  await tx.update(messageBatches).set({ failures_told: false }).where(eq(messageBatches.id, batchId))
  await lineUp(tx, dojoId)
}

/** Says of texts that are not sent again why that is. */
export async function keepBack(tx: Tx, texts: { id: string; words: string }[]): Promise<void> {
  await tx.execute(sql`update messages m set reason = r.words
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(id uuid, words text) where m.id = r.id`)
}
