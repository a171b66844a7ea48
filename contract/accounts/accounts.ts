import { z } from 'zod'
import { email, emptyAsUndefined, singleLineText } from '../lib/fields.ts'

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

const PASSWORD_TOO_SHORT = 'Password must be at least 8 characters'
export const PASSWORDS_DIFFER = 'Passwords do not match'
const tooLong = `Password must be at most ${PASSWORD_MAX} characters`

/** A new password, taken as typed without trimming. */
export const newPassword = z
  .string({ error: 'Password is required' })
  .min(PASSWORD_MIN, PASSWORD_TOO_SHORT)
  .max(PASSWORD_MAX, tooLong)

/** The password of a sensei's registration, which also needs a capital and a digit (specification, section 5). */
export const senseiPassword = newPassword
  .regex(/\p{Lu}/u, 'Password must contain at least one uppercase letter')
  .regex(/\d/, 'Password must contain at least one digit')

/** Only a sensei's email must end with .com (specification, section 5). */
export const senseiEmail = email().refine(
  (address) => address.endsWith('.com'),
  'Email must have .com domain',
)

/** A password entered at login is only checked for presence and a maximum length. */
export const enteredPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(1000, 'Password is not valid')

/** A code of the authenticator app, or a recovery code. */
export const secondFactorCode = singleLineText('Code', 40)

/** The code is asked for once the password was right, where the account has a second factor. */
export const credentials = z.object({
  email: email(),
  password: enteredPassword,
  code: emptyAsUndefined(secondFactorCode),
})
export type Credentials = z.output<typeof credentials>

/** Why a session ended that its own device did not end: the reason in the body of a 401. */
export const END_REASONS = [
  'signed-out',
  'password-changed',
  'password-reset',
  'profile-changed',
] as const
export type EndReason = (typeof END_REASONS)[number]

/** What somebody who has just signed in has to do before anything else. */
export const SIGN_IN_STEPS = ['choose-password', 'set-up-second-factor'] as const
export type SignInStep = (typeof SIGN_IN_STEPS)[number]
