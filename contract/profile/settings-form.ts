import { z } from 'zod'
import { PASSWORDS_DIFFER, senseiEmail } from '../accounts/accounts.ts'
import { email } from '../lib/fields.ts'
import { profileUpdate } from './profile.ts'

const createSettingsForm = (emailField: typeof senseiEmail) =>
  profileUpdate
    .extend({ email: emailField, retype_password: z.string() })
    .refine(({ password = '', retype_password }) => password === retype_password, {
      error: PASSWORDS_DIFFER,
      path: ['retype_password'],
      when: () => true,
    })
export const settingsForm = createSettingsForm(email())
export const registeredSenseiSettingsForm = createSettingsForm(senseiEmail)
