import type { BatchKind } from '@tatami/contract/texting/message-types'
import type { TextState } from '@tatami/contract/texting/text-history'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Tx } from '../../db/database.ts'
import { messageBatches, messages } from '../tables.ts'
import { recordStep } from './trail.ts'

/** A transition changes only texts in a `from` state, so late and repeated events do nothing. */
export const TRANSITIONS = {
  admit: { from: ['waiting'], to: 'queued' },
  skip: { from: ['waiting'], to: 'skipped' },
  // From here until the text is accepted, only the worker that claimed it may change it.
  claim: { from: ['queued'], to: 'sending' },
  loseClaim: { from: ['sending'], to: 'in_doubt' },
  accept: { from: ['queued', 'sending', 'in_doubt', 'uncertain'], to: 'accepted' },
  release: { from: ['sending', 'in_doubt'], to: 'queued' },
  doubt: { from: ['sending', 'in_doubt'], to: 'in_doubt' },
  reject: { from: ['sending', 'in_doubt'], to: 'failed' },
  giveUp: { from: ['in_doubt'], to: 'uncertain' },
  // A report may repeat the state with a higher error code.
  sent: { from: ['accepted', 'sent'], to: 'sent' },
  failed: { from: ['accepted', 'sent', 'failed'], to: 'failed' },
  undelivered: { from: ['accepted', 'sent', 'failed', 'undelivered'], to: 'undelivered' },
  delivered: { from: ['accepted', 'sent', 'failed', 'undelivered', 'delivered'], to: 'delivered' },
  sendAgain: { from: ['failed', 'undelivered', 'uncertain'], to: 'queued' },
  // Asks the provider again whether an uncertain text was sent.
  askAgain: { from: ['uncertain'], to: 'in_doubt' },
} as const satisfies Record<string, { from: readonly TextState[]; to: TextState }>
type Transition = keyof typeof TRANSITIONS

export const CLAIMABLE_STATES = ['queued', 'sending', 'in_doubt', 'accepted', 'sent'] as const
export type ClaimableState = (typeof CLAIMABLE_STATES)[number]

const NOT_DELIVERED: readonly TextState[] = ['failed', 'undelivered', 'uncertain']

/** Written as SQL, because Drizzle would take `messages` columns for columns of the inner table. */
const BATCH_KIND = sql<BatchKind>`(
  select b.kind from message_batches b
  where b.dojo_id = messages.dojo_id and b.id = messages.batch_id)`

/** Also marks batches with failures, so that `findDojosWithFailures` need not read their texts. */
export async function transition(
  tx: Tx,
  name: Transition,
  condition: SQL | undefined,
  set: Omit<PgUpdateSetSource<typeof messages>, 'state'>,
) {
  const { from, to } = TRANSITIONS[name]
  const changedTexts = await tx
    .update(messages)
    .set({ ...set, state: to })
    .where(and(condition, inArray(messages.state, [...from])))
    .returning({
      id: messages.id,
      batch_id: messages.batch_id,
      dojo: messages.dojo_id,
      kind: BATCH_KIND,
      sid: messages.provider_id,
      code: messages.error_code,
    })
  for (const { id, batch_id, dojo, kind, sid, code } of changedTexts)
    recordStep(tx, to, { dojo, batch: batch_id, text: id, kind, sid, code })
  if (changedTexts.length > 0 && NOT_DELIVERED.includes(to)) {
    const batchIds = [...new Set(changedTexts.map(({ batch_id }) => batch_id))]
    await tx
      .update(messageBatches)
      .set({ has_failures: true })
      .where(and(inArray(messageBatches.id, batchIds), eq(messageBatches.has_failures, false)))
  }
  return changedTexts
}
