import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { LRUCache } from 'lru-cache'
import { mapInSlices } from './event-loop.ts'

/** Parsing a large dojo's phones takes longer than reading them from the database. */
export const parsedPhones = new LRUCache<string, { phone: string | null }>({ max: 50_000 })

/** Returns a number like +15125550142, or null if the input is not valid. A number without a
 *  country code is a US number. */
export function validPhone(input: string | null): string | null {
  if (!input) return null
  const cachedPhone = parsedPhones.get(input)
  if (cachedPhone) return cachedPhone.phone
  const parsedPhone = parsePhoneNumberFromString(input, 'US')
  const phone = parsedPhone?.isValid() ? parsedPhone.number : null
  parsedPhones.set(input, { phone })
  return phone
}

/** Fills the cache of `validPhone` in slices, because each number takes 0.1 ms. */
export async function parsePhones(inputs: readonly (string | null)[]): Promise<void> {
  const newInputs = new Set(inputs.filter((number) => number !== null && !parsedPhones.has(number)))
  await mapInSlices([...newInputs], validPhone)
}
