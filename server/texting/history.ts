import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/lib/fields'
import {
  batchName,
  type BatchKind,
  CONVERSATION_KINDS,
  isCancellation,
  describeSkipReason,
} from '@tatami/contract/texting/message-types'
import type { Batch, BatchText, TextState } from '@tatami/contract/texting/text-history'
import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  inArray,
  lt,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { students } from '../students/tables.ts'
import { findPhonesToCall } from './call-phones.ts'
import { isHiddenFrom, hideFeeText, type TextReader } from './fee-texts.ts'
import { TRANSITIONS } from './delivery/states.ts'
import { pick, pluck } from '../lib/rows.ts'
import { messageBatches, messages, textId } from './tables.ts'

const countInState = (...states: TextState[]) =>
  count(sql`case when ${inArray(messages.state, states)} then 1 end`)

const BATCH_COUNTS = {
  total: count(sql`case when ${messages.state} <> 'skipped' then 1 end`),
  pending: countInState('waiting', 'queued', 'sending', 'in_doubt', 'accepted'),
  waiting: countInState('waiting'),
  queued: countInState('queued', 'sending', 'in_doubt'),
  sent: countInState('sent'),
  delivered: countInState('delivered'),
  failed: countInState('failed', 'undelivered'),
  uncertain: countInState('uncertain'),
  skipped: countInState('skipped'),
  acknowledged: count(messages.acknowledged_at),
}

async function findBatches(
  tx: Tx,
  reader: TextReader,
  condition: SQL | undefined,
  limit: number,
): Promise<Batch[]> {
  const page = tx
    .select(pick(messageBatches, 'id', 'kind', 'text', 'sender_name', 'created_at'))
    .from(messageBatches)
    .where(condition)
    .orderBy(desc(messageBatches.id))
    .limit(limit)
    .as('page')
  const batches = await tx
    .select({
      ...pick(page, 'id', 'text', 'sender_name', 'created_at'),
      message_type: page.kind,
      updated_at: sql<string>`coalesce(max(${messages.updated_at}), ${page.created_at})`.mapWith(
        messages.updated_at,
      ),
      counts: BATCH_COUNTS,
    })
    .from(page)
    .leftJoin(messages, eq(messages.batch_id, page.id))
    .groupBy(page.id, page.kind, page.text, page.sender_name, page.created_at)
    .orderBy(desc(page.id))
  return batches.map((row) => ({ ...row, text: hideFeeText(reader, row.message_type, row.text) }))
}

export const listBatches = (
  tx: Tx,
  reader: TextReader,
  { limit = DEFAULT_PAGE_SIZE, before }: Page,
): Promise<Batch[]> =>
  findBatches(
    tx,
    reader,
    and(
      notInArray(messageBatches.kind, [...CONVERSATION_KINDS]),
      before ? lt(messageBatches.id, before) : undefined,
    ),
    limit,
  )

export async function getBatch(
  tx: Tx,
  reader: TextReader,
  id: string,
): Promise<Batch & { texts: BatchText[] }> {
  const [batch] = await findBatches(tx, reader, eq(messageBatches.id, id), 1)
  if (!batch) throw notFound('Message')
  const rows = await tx
    .select({
      id: messages.id,
      text_id: textId,
      student_id: messages.student_id,
      name: sql<string>`coalesce(${students.name}, ${messages.phone}, '')`,
      ...pick(messages, 'state', 'reason', 'text'),
      phone_number: messages.phone,
      updated_at: messages.updated_at,
      acknowledged_at: messages.acknowledged_at,
    })
    .from(messages)
    .leftJoin(students, eq(students.id, messages.student_id))
    .where(eq(messages.batch_id, id))
    .orderBy(asc(sql`lower(${students.name})`), asc(messages.id))
  const unreachedRows = isCancellation(batch.message_type) ? rows.filter(isUnreachable) : []
  const phoneToCallById = await findPhonesToCall(
    tx,
    unreachedRows.flatMap(({ student_id }) => student_id ?? []),
  )
  // The reason why a student gets no text about fees would reveal what the student owes.
  const areReasonsHidden = isHiddenFrom(reader, batch.message_type)
  return {
    ...batch,
    texts: rows.map((row) => ({
      ...row,
      text: hideFeeText(reader, batch.message_type, row.text),
      reason: areReasonsHidden ? null : describeReason(row.state, row.reason),
      call_phone: row.phone_number ?? phoneToCallById.get(row.student_id ?? '') ?? null,
      may_send_again: maySendAgain(row.state),
    })),
  }
}

/** After a cancellation, the instructor has to call these students, who get no text. */
const isUnreachable = ({ state, reason }: { state: string; reason: string | null }) =>
  state === 'skipped' && (reason === 'no_valid_phone' || reason === 'opted_out')

export const maySendAgain = (state: string): boolean =>
  TRANSITIONS.sendAgain.from.some((allowedState) => allowedState === state)

export function describeReason(state: string, reason: string | null): string | null {
  if (state === 'waiting') return 'Waiting for tomorrow’s texts'
  return state === 'skipped' && reason !== null ? describeSkipReason(reason) : reason
}

export const isConversationKind = (kind: BatchKind): boolean =>
  CONVERSATION_KINDS.some((conversationKind) => conversationKind === kind)

const NOT_DELIVERED = sql`${messages.state} in ('failed', 'undelivered', 'uncertain')`

/** True if the state of the text `other` may still change. Reports arrive within these times. */
const isOtherPending = () => sql`(other.state in ('waiting', 'queued', 'sending', 'in_doubt')
  or other.state = 'accepted' and other.updated_at > ${nowIso()}::timestamptz - interval '1 day'
  or other.state = 'sent' and other.updated_at > ${nowIso()}::timestamptz - interval '1 hour')`

/** Finds dojos with a finished batch with failures that the instructors do not know about yet. */
export async function findDojosWithFailures(overseerTx: Tx): Promise<string[]> {
  const { rows } = await overseerTx.execute<{ dojo_id: string }>(sql`
    select distinct b.dojo_id from message_batches b
    where b.has_failures and not b.failures_notified
      and exists (
        select from messages where dojo_id = b.dojo_id and batch_id = b.id and ${NOT_DELIVERED})
      and not exists (
        select from messages other
        where other.dojo_id = b.dojo_id and other.batch_id = b.id and ${isOtherPending()})`)
  return pluck(rows, 'dojo_id')
}

function screenWithText(kind: BatchKind): string {
  if (kind === 'test') return 'SMS setup'
  return isConversationKind(kind) ? 'conversation' : 'message history'
}

export async function notifyFailures(tx: Tx, dojoId: string): Promise<void> {
  const unreportedBatches = tx
    .select({ id: messageBatches.id })
    .from(messageBatches)
    .where(eq(messageBatches.failures_notified, false))
  const finishedBatches = await tx
    .select({ id: messages.batch_id, kind: messageBatches.kind, failures: countDistinct(textId) })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(
      sql`${NOT_DELIVERED} and ${inArray(messages.batch_id, unreportedBatches)}
        and not exists (
          select from messages other
          where other.batch_id = ${messages.batch_id} and ${isOtherPending()})`,
    )
    .groupBy(messages.batch_id, messageBatches.kind)
  for (const { id, kind, failures } of finishedBatches) {
    await tx
      .update(messageBatches)
      .set({ failures_notified: true })
      .where(eq(messageBatches.id, id))
    const failureCount = failures === 1 ? '1 text' : `${failures} texts`
    const screen = screenWithText(kind)
    await notifyStaff(tx, dojoId, 'texts.read', {
      title: 'Some texts did not arrive',
      message: `${batchName(kind)}: ${failureCount} did not arrive. See why in the ${screen}.`,
    })
  }
}
