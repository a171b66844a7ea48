import type { Holder } from '@tatami/contract/phones'
import { formatPhone } from '../lib/text.ts'

/** Whose phone it is: "Leo Chen, Mia Chen", "Ana Chen (Leo Chen, Mia Chen)", or the number where nobody has it. */
export function peopleLabel({ phone_number, people }: { phone_number: string; people: readonly Holder[] }): string {
  const students = people.map(({ name }) => name).join(', ')
  const answering = holdersOf(people)
  if (answering) return `${answering} (${students})`
  return students || formatPhone(phone_number)
}

/** Who answers the phone, where those are not the students themselves: "Ana Chen". */
export const holdersOf = (people: readonly Holder[]) => [...new Set(people.flatMap(({ holder_name }) => holder_name ?? []))].join(', ')

/** Where the conversation with a phone is. */
export const conversationPath = (phone: string) => `/messages?${new URLSearchParams({ phone })}`
