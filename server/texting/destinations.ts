import type { SkipReason } from '@tatami/contract/texting/message-types'

export type Destination = (
  | { phones: string[]; reason: null }
  | { phones: []; reason: SkipReason }
) & {
  promised_on?: string | null
}
