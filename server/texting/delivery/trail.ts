import type { BatchKind } from '@tatami/contract/texting/message-types'
import type { TextState } from '@tatami/contract/texting/text-history'
import type { LogRecord, Tx } from '../../db/database.ts'

/** Log records that trace a text (docs/OPERATIONS.md). They have no phone, name or wording. */

type QueuedTexts = {
  dojo: string
  batch: string
  kind?: BatchKind
  texts: number
  /** Texts beyond the day's allowance. */
  waiting?: number
  skipped?: number
}
type TextStep = {
  dojo: string
  batch: string
  text: string
  kind: BatchKind
  /** The provider's id of the text. */
  sid: string | null
  code: number | null
}

export const recordQueued = (tx: Tx, { dojo, batch, ...counts }: QueuedTexts): void =>
  tx.record({ msg: 'texts queued', dojo, batch, ...counts })

export const recordStep = (tx: Tx, state: TextState, step: TextStep): void =>
  tx.record({ msg: `text ${state}`, state, ...step })

/** Returns null if the record is not about a text. */
export const parseTextStep = ({
  text,
  kind,
  state,
}: LogRecord): { kind: string; state: string } | null =>
  typeof text === 'string' && typeof kind === 'string' && typeof state === 'string'
    ? { kind, state }
    : null
