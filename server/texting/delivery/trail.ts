import type { BatchKind } from '@tatami/contract/texting/message-types'
import type { TextState } from '@tatami/contract/texting/text-history'
import type { LogRecord, Tx } from '../../db/database.ts'

/**
 * What the log tells of a text's way, from a press on Send to the receipt: every line names the batch, and the line of a text the
 * provider's id as well (docs/OPERATIONS.md). Never a phone, a name or a word of the text.
 */
type QueuedTexts = {
  dojo: string
  batch: string
  kind?: BatchKind
  texts: number
  waiting?: number
  skipped?: number
}
type TextStep = {
  dojo: string
  batch: string
  text: string
  kind: BatchKind
  sid: string | null
  code: number | null
}

/** A batch, or more of it, is queued; `waiting` texts found no room on their day, `skipped` rows get none. */
export const recordQueued = (tx: Tx, { dojo, batch, ...counts }: QueuedTexts): void =>
  tx.record({ msg: 'texts queued', dojo, batch, ...counts })

/** A text has come into a state. */
export const recordStep = (tx: Tx, state: TextState, step: TextStep): void =>
  tx.record({ msg: `text ${state}`, state, ...step })

/** The kind and the state of a text whose step was recorded; null for what was recorded of anything else. */
export const textStepOf = ({
  text,
  kind,
  state,
}: LogRecord): { kind: string; state: string } | null =>
  typeof text === 'string' && typeof kind === 'string' && typeof state === 'string'
    ? { kind, state }
    : null
