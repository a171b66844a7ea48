import { batchName } from '@tatami/contract/message-types'
import { count, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { claimRun } from '../../dojos/job-runs.ts'
import { now, nowIso } from '../../lib/clock.ts'
import { notifyInstructors } from '../../notifications/notify.ts'
import { messageBatches, messages } from '../tables.ts'

const NOT_DELIVERED = sql`${messages.state} in ('failed', 'undelivered', 'uncertain')`
/** A provider that has said nothing more for a day says nothing at all, a carrier for an hour. */
const isPending = () => sql`(o.state in ('waiting', 'queued', 'sending', 'in_doubt')
  or o.state = 'accepted' and o.updated_at > ${nowIso()}::timestamptz - interval '1 day'
  or o.state = 'sent' and o.updated_at > ${nowIso()}::timestamptz - interval '1 hour')`

/** The dojos, for the overseer, with a finished batch of whose failures the instructors have no notice yet. */
export async function dojosWithFailures(over: Tx): Promise<string[]> {
  const { rows } = await over.execute<{ dojo_id: string }>(sql`
    select distinct b.dojo_id from message_batches b
    where not b.failures_notified and (b.dojo_id, b.id) in (select dojo_id, batch_id from messages where ${NOT_DELIVERED})
      and not exists (select from messages o where o.dojo_id = b.dojo_id and o.batch_id = b.id and ${isPending()})`)
  return rows.map(({ dojo_id }) => dojo_id)
}

/** Notifies the instructors, once per batch, when nothing of it is pending any more and some of its texts did not arrive. */
export async function notifyFailures(tx: Tx, dojoId: string): Promise<void> {
  const withoutNotice = tx.select({ id: messageBatches.id }).from(messageBatches).where(eq(messageBatches.failures_notified, false))
  const finished = await tx
    .select({ id: messages.batch_id, kind: messageBatches.kind, failed: count() })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(
      sql`${NOT_DELIVERED} and ${inArray(messages.batch_id, withoutNotice)} and not exists (select from messages o where o.batch_id = ${messages.batch_id} and ${isPending()})`,
    )
    .groupBy(messages.batch_id, messageBatches.kind)
  for (const { id, kind, failed } of finished) {
    await tx.update(messageBatches).set({ failures_notified: true }).where(eq(messageBatches.id, id))
    await notifyInstructors(tx, dojoId, {
      title: 'Some texts did not arrive',
      message: `${batchName(kind)}: ${failed} ${failed === 1 ? 'text' : 'texts'} did not arrive. The message history says which, and why.`,
    })
  }
}

/** Notifies the instructors, at most once a UTC day, that no text goes out, and why. */
export async function notifyStopped(tx: Tx, dojoId: string, message: string): Promise<void> {
  if (await claimRun(tx, 'texting-stopped-notice', now().toISOString().slice(0, 10)))
    await notifyInstructors(tx, dojoId, { title: 'Texts are not going out', message })
}
