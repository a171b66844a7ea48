import type { BatchKind } from '@tatami/contract/texting/message-types'
import type { TextState } from '@tatami/contract/texting/text-history'
import type { LogRecord, Tx } from '../../db/database.ts'

/** Log lines on a text's way (docs/OPERATIONS.md). Never a phone, name or word of the text. */
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

/** `waiting` is for texts without allowance. */
export const recordQueued = (tx: Tx, { dojo, batch, ...counts }: QueuedTexts): void =>
  tx.record({ msg: 'texts queued', dojo, batch, ...counts })

export const recordStep = (tx: Tx, state: TextState, step: TextStep): void =>
  tx.record({ msg: `text ${state}`, state, ...step })

export const textStepOf = ({
  text,
  kind,
  state,
}: LogRecord): { kind: string; state: string } | null =>
  typeof text === 'string' && typeof kind === 'string' && typeof state === 'string'
    ? { kind, state }
    : null
