import { firstNames } from '@tatami/contract/message-types'
import type { StudentPhone } from '@tatami/contract/student-phones'

const STATES: Record<NonNullable<StudentPhone['obstacle']> | 'none', string> = {
  none: 'gets texts',
  replied_stop: 'has replied STOP',
  withdrawn: 'no longer agrees to texts',
  undeliverable: 'cannot get texts',
}

/** Whose phones texts about a student go to, and which of them gets none: "Ana’s phone has replied STOP". */
export const phoneStates = (name: string, phones: readonly StudentPhone[]): string[] =>
  phones.length === 0
    ? ['No valid phone number']
    : phones.map(({ holder_name, obstacle }) => `${firstNames([holder_name ?? name])}’s phone ${STATES[obstacle ?? 'none']}`)
