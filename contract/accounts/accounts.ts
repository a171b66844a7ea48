import { z } from 'zod'
import { email, emptyAsUndefined, singleLineText } from '../lib/fields.ts'

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

const PASSWORD_TOO_SHORT = 'Password must be at least 8 characters'
export const PASSWORDS_DIFFER = 'Passwords do not match'
const PASSWORD_TOO_LONG = `Password must be at most ${PASSWORD_MAX} characters`

export const newPassword = z
  .string({ error: 'Password is required' })
  .min(PASSWORD_MIN, PASSWORD_TOO_SHORT)
  .max(PASSWORD_MAX, PASSWORD_TOO_LONG)

export const senseiPassword = newPassword
  .regex(/\p{Lu}/u, 'Password must contain at least one uppercase letter')
  .regex(/\d/, 'Password must contain at least one digit')

/** The email of a sensei who registers a school must end with .com (specification, section 5). */
export const senseiEmail = email().refine(
  (address) => address.endsWith('.com'),
  'Email must have .com domain',
)

export const enteredPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(1000, 'Password is not valid')

export const secondFactorCode = singleLineText('Code', 40)

/** `code` is needed only if the account has a second factor. */
export const credentials = z.object({
  email: email(),
  password: enteredPassword,
  code: emptyAsUndefined(secondFactorCode),
})
export type Credentials = z.output<typeof credentials>

/** Why a session was ended on another device or by an admin. */
export const END_REASONS = [
  'signed-out',
  'password-changed',
  'password-reset',
  'profile-changed',
  'staff-ended',
] as const
export type EndReason = (typeof END_REASONS)[number]

/** What a user may have to do after signing in, before any other call. */
export const SIGN_IN_STEPS = ['choose-password', 'set-up-second-factor'] as const
export type SignInStep = (typeof SIGN_IN_STEPS)[number]
