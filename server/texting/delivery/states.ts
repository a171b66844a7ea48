import type { BatchKind } from '@tatami/contract/texting/message-types'
import type { TextState } from '@tatami/contract/texting/text-history'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Tx } from '../../db/database.ts'
import { messageBatches, messages } from '../tables.ts'
import { recordStep } from './trail.ts'

/** Every change of state. Late and repeated events find no text in `from`. */
export const TRANSITIONS = {
  admit: { from: ['waiting'], to: 'queued' },
  skip: { from: ['waiting'], to: 'skipped' },
  // Changing a text that is being sent requires its claim.
  claim: { from: ['queued'], to: 'sending' },
  loseClaim: { from: ['sending'], to: 'in_doubt' },
  accept: { from: ['queued', 'sending', 'in_doubt', 'uncertain'], to: 'accepted' },
  release: { from: ['sending', 'in_doubt'], to: 'queued' },
  doubt: { from: ['sending', 'in_doubt'], to: 'in_doubt' },
  reject: { from: ['sending', 'in_doubt'], to: 'failed' },
  giveUp: { from: ['in_doubt'], to: 'uncertain' },
  // The same state may bring a higher error code.
  sent: { from: ['accepted', 'sent'], to: 'sent' },
  failed: { from: ['accepted', 'sent', 'failed'], to: 'failed' },
  undelivered: { from: ['accepted', 'sent', 'failed', 'undelivered'], to: 'undelivered' },
  delivered: { from: ['accepted', 'sent', 'failed', 'undelivered', 'delivered'], to: 'delivered' },
  sendAgain: { from: ['failed', 'undelivered', 'uncertain'], to: 'queued' },
  askAgain: { from: ['uncertain'], to: 'in_doubt' },
} as const satisfies Record<string, { from: readonly TextState[]; to: TextState }>
type Transition = keyof typeof TRANSITIONS

export const CLAIMABLE_STATES = ['queued', 'sending', 'in_doubt', 'accepted', 'sent'] as const
export type ClaimableState = (typeof CLAIMABLE_STATES)[number]

const NOT_DELIVERED: readonly TextState[] = ['failed', 'undelivered', 'uncertain']

/** Raw SQL, because Drizzle takes a column in "returning" for the inner table's. */
const KIND = sql<BatchKind>`(
  select b.kind from message_batches b
  where b.dojo_id = messages.dojo_id and b.id = messages.batch_id)`

/** Also marks batches with failures, so that they are found without reading their texts. */
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
      kind: KIND,
      sid: messages.provider_id,
      code: messages.error_code,
    })
  for (const { id, batch_id, dojo, kind, sid, code } of changedTexts)
    recordStep(tx, to, { dojo, batch: batch_id, text: id, kind, sid, code })
  const batches = NOT_DELIVERED.includes(to)
    ? [...new Set(changedTexts.map(({ batch_id }) => batch_id))]
    : []
  if (batches.length > 0)
    await tx
      .update(messageBatches)
      .set({ has_failures: true })
      .where(and(inArray(messageBatches.id, batches), eq(messageBatches.has_failures, false)))
  return changedTexts
}
