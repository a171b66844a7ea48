import { z } from 'zod'
import { enteredPassword } from '../accounts/accounts.ts'
import type { Api } from '../lib/endpoint.ts'
import { emptyAsUndefined, singleLineText, success } from '../lib/fields.ts'
import { SERVICES } from './texting.ts'

/** `unchecked`: Twilio did not respond to the last call. `not_registered`: US carriers block the
 *  number. `paused`: Twilio has suspended the account. */
export const TEXTING_ACCOUNT_STATES = [
  'unchecked',
  'ready',
  'wrong_credentials',
  'number_not_yours',
  'not_registered',
  'paused',
] as const
export type TextingAccountState = (typeof TEXTING_ACCOUNT_STATES)[number]

/** Why a school cannot use its own Twilio account on this server. */
export const SET_UP_OBSTACLES = ['no_secrets_key', 'sms_provider'] as const
export type SetupObstacle = (typeof SET_UP_OBSTACLES)[number]

const accountSid = singleLineText('Account SID', 60)
  .refine((sid) => !sid.startsWith('SK'), {
    error: 'This is the SID of an API key. Your Account SID starts with AC',
    abort: true,
  })
  .regex(/^AC[0-9a-fA-F]{32}$/, 'The Account SID is AC followed by 32 letters and digits')
const authToken = singleLineText('Auth token', 60).regex(
  /^[0-9a-fA-F]{32}$/,
  'The auth token has 32 letters and digits',
)

export const MESSAGING_SERVICE_SID = /^MG[0-9a-fA-F]{32}$/

/** Needed unless the caller has just signed in. */
const passwordConfirmation = { current_password: emptyAsUndefined(enteredPassword) }

export const textingAccountForm = z.object({
  account_sid: accountSid,
  /** May be left out if the account stays the same. */
  auth_token: emptyAsUndefined(authToken),
  /** A phone number, or the SID of a messaging service. */
  sender: singleLineText('Number', 40),
  ...passwordConfirmation,
})
export type TextingAccountForm = z.output<typeof textingAccountForm>

const textingAccount = z.object({
  account_sid: z.string(),
  sender: z.string(),
  state: z.enum(TEXTING_ACCOUNT_STATES),
  error: z.string().nullable(),
  /** A trial account only texts numbers that its owner has verified. */
  is_trial: z.boolean(),
  /** Whether Twilio passes replies on to this school. */
  gets_replies: z.boolean(),
  checked_at: z.string().nullable(),
  changed_at: z.string(),
  changed_by: z.string(),
})
export type TextingAccount = z.output<typeof textingAccount>

const textingSetup = z.object({
  account: textingAccount.nullable(),
  obstacle: z.enum(SET_UP_OBSTACLES).nullable(),
  /** The service that schools without their own account use. */
  server_service: z.enum(SERVICES),
  /** The address that Twilio must post replies to. Null if Twilio cannot reach this server. */
  reply_url: z.string().nullable(),
  /** The caller's own number, which gets test texts. */
  test_phone: z.string().nullable(),
})
export type TextingSetup = z.output<typeof textingSetup>

export const textingAccountApi = {
  setUp: {
    method: 'GET',
    path: '/sms/account',
    access: 'instructor',
    right: 'settings',
    summary: 'The school’s own Twilio account, without its token',
    reply: textingSetup,
  },
  save: {
    method: 'PUT',
    path: '/sms/account',
    access: 'instructor',
    right: 'settings',
    summary:
      'Send the school’s texts through its own Twilio account, after checking it with Twilio. ' +
      'Requires the password, except just after a sign-in',
    throttle: 'sign-in',
    body: textingAccountForm,
    reply: textingSetup,
  },
  remove: {
    method: 'POST',
    path: '/sms/account/remove',
    access: 'instructor',
    right: 'settings',
    summary:
      'Delete the school’s own Twilio account, so that its texts use the server’s service. ' +
      'Requires the password, except just after a sign-in',
    throttle: 'sign-in',
    body: z.object(passwordConfirmation),
    reply: textingSetup,
  },
  sendTest: {
    method: 'POST',
    path: '/sms/test-text',
    access: 'instructor',
    right: 'settings',
    summary: 'Send a test text to the caller’s own number',
    idempotent: true,
    reply: success.extend({ batch_id: z.uuid(), phone_number: z.string() }),
  },
} as const satisfies Api
