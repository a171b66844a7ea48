import type { PersonWithPhones } from '@tatami/contract/texting/conversations'
import { firstNames } from '@tatami/contract/texting/message-types'
import type { PhoneHolder } from '@tatami/contract/texting/phones'
import { formatPhone } from '../lib/text.ts'

type PhoneWithPeople = { phone_number: string; people: readonly PhoneHolder[] }

/** Returns "Leo Chen, Mia Chen", "Ana Chen (Leo Chen, Mia Chen)", or the number if no student has
 *  it. */
export function labelPhone({ phone_number, people }: PhoneWithPeople): string {
  const students = people.map(({ name }) => name).join(', ')
  const holders = joinHolderNames(people)
  if (holders) return `${holders} (${students})`
  return students || formatPhone(phone_number)
}

/** Returns "Ana Chen" if she answers the phone, or nothing if the students do. */
export const joinHolderNames = (people: readonly PhoneHolder[]) =>
  [...new Set(people.flatMap(({ holder_name }) => holder_name ?? []))].join(', ')

/** Lists each phone once, such as "Leo Chen and Mia Chen, (512) 555-0142" or "Ana Chen for Leo,
 *  (512) 555-0143". */
export function listPhones(
  people: readonly PersonWithPhones[],
): { phone: string; label: string }[] {
  const phoneRows = people.flatMap(({ name, phone_number, other_phones }) => [
    ...other_phones.map((phone) => ({ name, ...phone })),
    ...(phone_number ? [{ name, phone_number, holder_name: null }] : []),
  ])
  return [...Map.groupBy(phoneRows, ({ phone_number }) => phone_number)].map(([phone, rows]) => {
    const names = [...new Set(rows.map(({ name }) => name))]
    const holder = rows.find(({ holder_name }) => holder_name)?.holder_name
    const owner = holder ? `${holder} for ${firstNames(names)}` : names.join(' and ')
    return { phone, label: `${owner}, ${formatPhone(phone)}` }
  })
}
