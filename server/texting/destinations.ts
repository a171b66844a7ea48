import type { SkipReason } from '@tatami/contract/texting/message-types'

/** The phones that a text about a student goes to, or why it goes to none. */
export type Destination = (
  | { phones: string[]; reason: null }
  | { phones: []; reason: SkipReason }
) & {
  /** The day by which somebody has promised to pay, where that is not past. */
  promised_on?: string | null
}
