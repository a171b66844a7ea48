import { parsePhoneNumberFromString } from 'libphonenumber-js'

/** A typed phone number as E.164 (+15125550142), with the United States where no country is given; null for what cannot be one. */
export function validPhone(typed: string | null): string | null {
  const parsed = typed ? parsePhoneNumberFromString(typed, 'US') : undefined
  return parsed?.isValid() ? parsed.number : null
}
