import { firstNames } from '@tatami/contract/texting/message-types'
import type { StudentPhone } from '@tatami/contract/texting/phones'

const STATES: Record<NonNullable<StudentPhone['obstacle']> | 'none', string> = {
  none: 'gets texts',
  replied_stop: 'has replied STOP',
  withdrawn: 'no longer agrees to texts',
  undeliverable: 'can’t get texts',
}

const phoneOwner = (name: string, { holder_name }: StudentPhone) =>
  firstNames([holder_name ?? name])
const phoneState = ({ obstacle }: StudentPhone) => STATES[obstacle ?? 'none']

/** Returns "Ana’s phone has replied STOP" and so on. Phones that only get texts about fees are
 *  last. */
export const describePhones = (
  name: string,
  phones: readonly StudentPhone[],
  feePhones: readonly StudentPhone[],
): string[] => [
  ...(phones.length === 0
    ? ['No valid phone number']
    : phones.map((phone) => `${phoneOwner(name, phone)}’s phone ${phoneState(phone)}`)),
  ...feePhones.map((phone) => `Fees: ${phoneOwner(name, phone)}’s phone ${phoneState(phone)}`),
]
