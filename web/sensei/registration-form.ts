import type { SenseiRegistration } from '@tatami/contract/sensei'

export const EMPTY_REGISTRATION = {
  first_name: '',
  last_name: '',
  email: '',
  contact_area_code: '',
  contact_number: '',
  password: '',
  retype_password: '',
  city: '',
  state: '',
  dojo_name: '',
}
export type RegistrationValues = typeof EMPTY_REGISTRATION

/** No state chosen is no state at all, so that it is said to be required. */
export const registrationToWire = ({ state, ...rest }: RegistrationValues): SenseiRegistration =>
  ({ ...rest, ...(state && { state }) }) as SenseiRegistration

/** What a field of the phone number keeps of what is typed (specification, section 5). */
export const keepDigits = (typed: string, count: number) => typed.replace(/\D/g, '').slice(0, count)
