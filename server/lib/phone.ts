import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { LRUCache } from 'lru-cache'
import { mapInSlices } from './event-loop.ts'

/** Caches results, because parsing the phone numbers of a large dojo takes longer than reading them
 *  from the database. */
export const parsedPhones = new LRUCache<string, { phone: string | null }>({ max: 50_000 })

/** The phone number in the form +15125550142 (E.164); null if it is invalid. A number without a
 *  country code is treated as a US number. */
export function validPhone(input: string | null): string | null {
  if (!input) return null
  const cachedPhone = parsedPhones.get(input)
  if (cachedPhone) return cachedPhone.phone
  const parsedPhone = parsePhoneNumberFromString(input, 'US')
  const phone = parsedPhone?.isValid() ? parsedPhone.number : null
  parsedPhones.set(input, { phone })
  return phone
}

/** Parses many numbers in slices, so that `validPhone` then finds them in the cache: each takes 0.1
 *  ms, and other requests should not wait for all of them. */
export async function parsePhones(inputs: readonly (string | null)[]): Promise<void> {
  const newInputs = new Set(inputs.filter((number) => number !== null && !parsedPhones.has(number)))
  await mapInSlices([...newInputs], validPhone)
}
