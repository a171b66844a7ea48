import type { settingsForm } from '@tatami/contract/profile'
import type { User } from '@tatami/contract/students'
import type { z } from 'zod'

export const settingsOf = ({ email, dojo_name, phone_number, city, state }: User) => ({
  email,
  dojo_name: dojo_name ?? '',
  phone_number: phone_number ?? '',
  city: city ?? '',
  state: state ?? '',
  password: '',
  retype_password: '',
})
export type SettingsValues = ReturnType<typeof settingsOf>

/** A blank password is not sent (specification, section 5). */
export const settingsToWire = ({ password, ...rest }: SettingsValues) =>
  ({ ...rest, ...(password && { password }) }) as z.input<typeof settingsForm>
