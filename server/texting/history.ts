import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/fields'
import { SKIP_REASON_LABELS, type SkipReason } from '@tatami/contract/message-types'
import type { Batch, BatchText } from '@tatami/contract/text-history'
import { asc, count, desc, eq, inArray, lt, max, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { TRANSITIONS } from './delivery/states.ts'
import { messageBatches, messages } from './tables.ts'

const inState = (...states: string[]) => count(sql`case when ${inArray(messages.state, states as never)} then 1 end`)
const COUNTS = {
  total: count(sql`case when ${messages.state} <> 'skipped' then 1 end`),
  pending: inState('waiting', 'queued', 'sending', 'in_doubt', 'accepted'),
  waiting: inState('waiting'),
  queued: inState('queued', 'sending', 'in_doubt'),
  sent: inState('sent'),
  delivered: inState('delivered'),
  failed: inState('failed', 'undelivered'),
  uncertain: inState('uncertain'),
  skipped: inState('skipped'),
}
const NO_COUNTS = { total: 0, pending: 0, waiting: 0, queued: 0, sent: 0, delivered: 0, failed: 0, uncertain: 0, skipped: 0 }

async function readBatches(tx: Tx, which: SQL | undefined, limit: number): Promise<Batch[]> {
  const rows = await tx
    .select({ id: messageBatches.id, message_type: messageBatches.kind, text: messageBatches.text, created_at: messageBatches.created_at })
    .from(messageBatches)
    .where(which)
    .orderBy(desc(messageBatches.id))
    .limit(limit)
  const counts = await tx
    .select({ id: messages.batch_id, updated_at: max(messages.updated_at), ...COUNTS })
    .from(messages)
    .where(
      inArray(
        messages.batch_id,
        rows.map(({ id }) => id),
      ),
    )
    .groupBy(messages.batch_id)
  const found = new Map(counts.map(({ id, updated_at, ...counted }) => [id, { updated_at, counted }]))
  return rows.map((row) => ({
    ...row,
    updated_at: found.get(row.id)?.updated_at ?? row.created_at,
    counts: found.get(row.id)?.counted ?? NO_COUNTS,
  }))
}

/** The batches of the dojo, newest first. */
export const listBatches = (tx: Tx, { limit = DEFAULT_PAGE_SIZE, before }: Page): Promise<Batch[]> =>
  readBatches(tx, before ? lt(messageBatches.id, before) : undefined, limit)

/** A batch with the state of each student's text, and the reason for it. */
export async function getBatch(tx: Tx, id: string): Promise<Batch & { texts: BatchText[] }> {
  const [batch] = await readBatches(tx, eq(messageBatches.id, id), 1)
  if (!batch) throw notFound('Message')
  const rows = await tx
    .select({
      id: messages.id,
      student_id: messages.student_id,
      name: students.name,
      state: messages.state,
      reason: messages.reason,
      text: messages.text,
      phone_number: messages.phone,
      updated_at: messages.updated_at,
    })
    .from(messages)
    .innerJoin(students, eq(students.id, messages.student_id))
    .where(eq(messages.batch_id, id))
    .orderBy(asc(sql`lower(${students.name})`), asc(messages.id))
  return {
    ...batch,
    texts: rows.map((row) => ({ ...row, reason: describeReason(row.state, row.reason), may_send_again: maySendAgain(row.state) })),
  }
}

const maySendAgain = (state: string) => (TRANSITIONS.sendAgain.from as readonly string[]).includes(state)
const describeReason = (state: string, reason: string | null) =>
  state === 'skipped' ? SKIP_REASON_LABELS[reason as SkipReason] : state === 'waiting' ? 'Waits for tomorrow’s texts' : reason
