import type { settingsForm } from '@tatami/contract/profile'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos'
import type { SignedInUser } from '@tatami/contract/students'
import type { z } from 'zod'

export const settingsOf = ({ email, dojo_name, phone_number, city, state, time_zone }: SignedInUser) => ({
  email,
  dojo_name: dojo_name ?? '',
  phone_number: phone_number ?? '',
  city: city ?? '',
  state: state ?? '',
  time_zone: time_zone ?? DEFAULT_TIME_ZONE,
  password: '',
  retype_password: '',
})
export type SettingsValues = ReturnType<typeof settingsOf>

/** A blank password is not sent (specification, section 5), nor a time zone that stays. */
export const settingsToWire =
  (before: SettingsValues) =>
  ({ password, time_zone, ...rest }: SettingsValues) =>
    ({ ...rest, ...(time_zone !== before.time_zone && { time_zone }), ...(password && { password }) }) as z.input<typeof settingsForm>
