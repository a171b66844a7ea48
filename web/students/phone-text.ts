import { firstNames } from '@tatami/contract/texting/message-types'
import type { StudentPhone } from '@tatami/contract/texting/phones'

const PHONE_STATES: Record<NonNullable<StudentPhone['obstacle']> | 'none', string> = {
  none: 'gets texts',
  replied_stop: 'has replied STOP',
  withdrawn: 'no longer agrees to texts',
  undeliverable: 'can’t get texts',
}

const phoneOwner = (name: string, { holder_name }: StudentPhone) =>
  firstNames([holder_name ?? name])
const phoneState = ({ obstacle }: StudentPhone) => PHONE_STATES[obstacle ?? 'none']

/** Describes each phone, as in "Ana’s phone has replied STOP". Phones that only get texts about fees
 *  are last. */
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
