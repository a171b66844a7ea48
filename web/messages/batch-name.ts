import { BATCH_NAMES, REMINDERS, type BatchKind } from '@tatami/contract/message-words'

/** What a batch is called in the history: "Weather Cancellation", "Pre Due reminder". */
export const batchName = (kind: BatchKind): string =>
  (REMINDERS as readonly string[]).includes(kind) ? `${BATCH_NAMES[kind]} reminder` : BATCH_NAMES[kind]
