import { count, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/database.ts'
import { messageBatches, messages } from './tables.ts'
import { tellInstructors } from './tell.ts'

const DID_NOT_ARRIVE = sql`${messages.state} in ('failed', 'undelivered', 'uncertain')`
const ON_ITS_WAY = sql`o.state in ('waiting', 'queued', 'sending', 'in_doubt', 'accepted')`

/** Tells the instructor, once a batch, when nothing of it is on its way any more and some of it did not arrive. */
export async function tellOfFailures(tx: Tx, dojoId: string): Promise<void> {
  const untold = tx.select({ id: messageBatches.id }).from(messageBatches).where(eq(messageBatches.failures_told, false))
  const ended = await tx
    .select({ id: messages.batch_id, failed: count() })
    .from(messages)
    .where(
      sql`${DID_NOT_ARRIVE} and ${inArray(messages.batch_id, untold)} and not exists (select from messages o where o.batch_id = ${messages.batch_id} and ${ON_ITS_WAY})`,
    )
    .groupBy(messages.batch_id)
  for (const { id, failed } of ended) {
    await tx.update(messageBatches).set({ failures_told: true }).where(eq(messageBatches.id, id))
    await tellInstructors(tx, dojoId, {
      title: 'Some texts did not arrive',
      message: `${failed} of your texts did not arrive. The message history says which, and why.`,
    })
  }
}
