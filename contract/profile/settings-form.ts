import { z } from 'zod'
import { PASSWORDS_DIFFER, senseiEmail } from '../accounts/accounts.ts'
import { email } from '../lib/fields.ts'
import { profileUpdate } from './profile.ts'

const settingsFormWith = (emailField: typeof senseiEmail) =>
  profileUpdate
    .extend({ email: emailField, retype_password: z.string() })
    .refine(({ password = '', retype_password }) => password === retype_password, {
      error: PASSWORDS_DIFFER,
      path: ['retype_password'],
      when: () => true,
    })
export const settingsForm = settingsFormWith(email())
export const settingsFormOfRegistered = settingsFormWith(senseiEmail)
