import { batchName } from '@tatami/contract/message-types'
import { count, eq, inArray, sql } from 'drizzle-orm'
import { nowIso } from '../../lib/clock.ts'
import type { Tx } from '../../db/database.ts'
import { notifyInstructors } from '../../notifications/notify.ts'
import { messageBatches, messages } from '../tables.ts'

const DID_NOT_ARRIVE = sql`${messages.state} in ('failed', 'undelivered', 'uncertain')`
/** What the provider says nothing more of for a day has come to its end; of what was handed to the carrier, for an hour. */
const onItsWay = () => sql`(o.state in ('waiting', 'queued', 'sending', 'in_doubt')
  or o.state = 'accepted' and o.updated_at > ${nowIso()}::timestamptz - interval '1 day'
  or o.state = 'sent' and o.updated_at > ${nowIso()}::timestamptz - interval '1 hour')`

/** The dojos, for the overseer, with a batch of whose failures the instructor is to be told. */
export async function dojosWithFailures(over: Tx): Promise<string[]> {
  const { rows } = await over.execute<{ dojo_id: string }>(sql`
    select distinct b.dojo_id from message_batches b
    where not b.failures_told and (b.dojo_id, b.id) in (select dojo_id, batch_id from messages where ${DID_NOT_ARRIVE})
      and not exists (select from messages o where o.dojo_id = b.dojo_id and o.batch_id = b.id and ${onItsWay()})`)
  return rows.map(({ dojo_id }) => dojo_id)
}

/** Tells the instructor, once a batch, when nothing of it is on its way any more and some of it did not arrive. */
export async function tellOfFailures(tx: Tx, dojoId: string): Promise<void> {
  const untold = tx.select({ id: messageBatches.id }).from(messageBatches).where(eq(messageBatches.failures_told, false))
  const ended = await tx
    .select({ id: messages.batch_id, kind: messageBatches.kind, failed: count() })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(
      sql`${DID_NOT_ARRIVE} and ${inArray(messages.batch_id, untold)} and not exists (select from messages o where o.batch_id = ${messages.batch_id} and ${onItsWay()})`,
    )
    .groupBy(messages.batch_id, messageBatches.kind)
  for (const { id, kind, failed } of ended) {
    await tx.update(messageBatches).set({ failures_told: true }).where(eq(messageBatches.id, id))
    await notifyInstructors(tx, dojoId, {
      title: 'Some texts did not arrive',
      message: `${batchName(kind)}: ${failed} ${failed === 1 ? 'text' : 'texts'} did not arrive. The message history says which, and why.`,
    })
  }
}
