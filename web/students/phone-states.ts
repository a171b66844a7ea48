import { firstNames } from '@tatami/contract/texting/message-types'
import type { StudentPhone } from '@tatami/contract/texting/phones'

const STATES: Record<NonNullable<StudentPhone['obstacle']> | 'none', string> = {
  none: 'gets texts',
  replied_stop: 'has replied STOP',
  withdrawn: 'no longer agrees to texts',
  undeliverable: 'can’t get texts',
}

const ownerOf = (name: string, { holder_name }: StudentPhone) => firstNames([holder_name ?? name])
const stateOf = ({ obstacle }: StudentPhone) => STATES[obstacle ?? 'none']

/** "Ana’s phone has replied STOP" for each phone. Those that only get texts about fees are last. */
export const phoneStates = (
  name: string,
  phones: readonly StudentPhone[],
  feePhones: readonly StudentPhone[],
): string[] => [
  ...(phones.length === 0
    ? ['No valid phone number']
    : phones.map((phone) => `${ownerOf(name, phone)}’s phone ${stateOf(phone)}`)),
  ...feePhones.map((phone) => `Fees: ${ownerOf(name, phone)}’s phone ${stateOf(phone)}`),
]
