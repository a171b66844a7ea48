import type { BatchKind } from '@tatami/contract/texting/message-types'
import type { TextState } from '@tatami/contract/texting/text-history'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Tx } from '../../db/database.ts'
import { messageBatches, messages } from '../tables.ts'
import { recordStep } from './trail.ts'

/**
 * Every way in which a text changes its state, and the only place that says so. A text that is in none of `from` stays as it is, so that
 * what comes late or twice changes nothing.
 */
export const TRANSITIONS = {
  // A text that found no room on its day.
  admit: { from: ['waiting'], to: 'queued' },
  skip: { from: ['waiting'], to: 'skipped' },
  // Sending. Whoever changes a text that is being sent holds its claim.
  claim: { from: ['queued'], to: 'sending' },
  loseClaim: { from: ['sending'], to: 'in_doubt' },
  accept: { from: ['queued', 'sending', 'in_doubt', 'uncertain'], to: 'accepted' },
  release: { from: ['sending', 'in_doubt'], to: 'queued' },
  doubt: { from: ['sending', 'in_doubt'], to: 'in_doubt' },
  reject: { from: ['sending', 'in_doubt'], to: 'failed' },
  giveUp: { from: ['in_doubt'], to: 'uncertain' },
  // What the provider reports. The same state again may bring a higher error code.
  sent: { from: ['accepted', 'sent'], to: 'sent' },
  failed: { from: ['accepted', 'sent', 'failed'], to: 'failed' },
  undelivered: { from: ['accepted', 'sent', 'failed', 'undelivered'], to: 'undelivered' },
  delivered: { from: ['accepted', 'sent', 'failed', 'undelivered', 'delivered'], to: 'delivered' },
  // An instructor sends again. The provider may know by now of a text to the same phone that is uncertain.
  sendAgain: { from: ['failed', 'undelivered', 'uncertain'], to: 'queued' },
  askAgain: { from: ['uncertain'], to: 'in_doubt' },
} as const satisfies Record<string, { from: readonly TextState[]; to: TextState }>
type Transition = keyof typeof TRANSITIONS

/** The states in which a server takes a text up again once it is due. */
export const CLAIMABLE_STATES = ['queued', 'sending', 'in_doubt', 'accepted', 'sent'] as const
export type ClaimableState = (typeof CLAIMABLE_STATES)[number]

const NOT_DELIVERED: readonly TextState[] = ['failed', 'undelivered', 'uncertain']

/** In SQL of its own, because a column in a "returning" would be taken for the inner table's. */
const KIND = sql<BatchKind>`(select b.kind from message_batches b where b.dojo_id = messages.dojo_id and b.id = messages.batch_id)`

/** Changes the state of the texts that `where` finds, and what `set` names with it, and records the step; answers the texts that changed.
 *  Their batches remember that a text did not arrive, so that whoever looks for failures need not look at texts. */
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
