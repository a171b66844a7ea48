import type { SkipReason } from '@tatami/contract/texting/message-types'

export type Destination = (
  | { phones: string[]; reason: null }
  | { phones: []; reason: SkipReason }
) & {
  /** The day by which the student promised to pay. */
  promised_on?: string | null
}
