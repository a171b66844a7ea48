import { z } from 'zod'
import { enteredPassword, newPassword, secondFactorCode } from './accounts.ts'
import type { Api } from '../lib/endpoint.ts'
import { emptyAsUndefined, flag, idParams, singleLineText, success } from '../lib/fields.ts'
import { signedIn } from './users.ts'

/** A field of a passkey. The limits below are generous. */
const base64url = (label: string, max: number) =>
  z
    .string({ error: `${label} is not valid` })
    .min(1, `${label} is not valid`)
    .max(max, `${label} is not valid`)
    .regex(/^[\w-]+$/, `${label} is not valid`)
const PASSKEY = 'The passkey'
const credential = {
  id: base64url(PASSKEY, 1400),
  rawId: base64url(PASSKEY, 1400),
  type: z.literal('public-key', { error: `${PASSKEY} is not valid` }),
}
const passkeyObject = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape, { error: `${PASSKEY} is not valid` })

const newPasskeyResponse = passkeyObject({
  ...credential,
  response: passkeyObject({
    clientDataJSON: base64url(PASSKEY, 4000),
    attestationObject: base64url(PASSKEY, 8000),
    transports: z
      .array(singleLineText('Transport', 20), { error: `${PASSKEY} is not valid` })
      .max(10, `${PASSKEY} is not valid`)
      .optional(),
  }),
})
export type NewPasskeyResponse = z.output<typeof newPasskeyResponse>

const passkeyResponse = passkeyObject({
  ...credential,
  response: passkeyObject({
    clientDataJSON: base64url(PASSKEY, 4000),
    authenticatorData: base64url(PASSKEY, 4000),
    signature: base64url(PASSKEY, 4000),
    userHandle: emptyAsUndefined(base64url(PASSKEY, 200)),
  }),
})
export type PasskeyResponse = z.output<typeof passkeyResponse>

/** Passkey options as the browser expects them (W3C Web Authentication, JSON forms). */
const browserOptions = z.object({ options: z.record(z.string(), z.unknown()) })

const passkeyName = singleLineText('Name', 60)
const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type Passkey = z.output<typeof passkey>

const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** Required unless the caller has just signed in. */
const confirmation = { current_password: emptyAsUndefined(enteredPassword) }
const currentPassword = z.object({ current_password: enteredPassword })

const methods = z.object({
  passkeys: z.array(passkey),
  /** The host name for which passkeys are created. Null if this server cannot use passkeys. */
  passkey_host: z.string().nullable(),
  may_use_authenticator: z.boolean(),
  authenticator_since: z.string().nullable(),
  recovery_codes_left: z.number(),
  /** True if the caller's role must have a second factor. */
  is_required: z.boolean(),
})
export type SignInMethods = z.output<typeof methods>

const listedSession = z.object({
  id: z.uuid(),
  device: z.string().nullable(),
  /** The IP address from which the session was last used. */
  address: z.string().nullable(),
  created_at: z.string(),
  last_used_at: z.string(),
  is_current: z.boolean(),
})
export type ListedSession = z.output<typeof listedSession>

const requirements = z.object({
  super_admins: flag('Super admins'),
  instructors: flag('Instructors'),
})
export type SecondFactorRequirements = z.output<typeof requirements>

const ownPassword = z.object({ new_password: newPassword })
const passkeyForm = z.object({ name: passkeyName })
const authenticatorForm = z.object({ code: secondFactorCode })

export const signInApi = {
  methods: {
    method: 'GET',
    path: '/sign-in-methods',
    access: 'signed-in',
    summary: 'The caller’s passkeys, authenticator app and recovery codes',
    duringSignIn: true,
    reply: methods,
  },
  passkeySignInOptions: {
    method: 'POST',
    path: '/passkey-sign-in/options',
    access: 'public',
    summary: 'The challenge that a passkey must sign at a sign-in',
    throttle: 'sign-in',
    reply: browserOptions,
  },
  passkeySignIn: {
    method: 'POST',
    path: '/passkey-sign-in',
    access: 'public',
    summary: 'Sign in with a passkey',
    throttle: 'sign-in',
    body: z.object({ response: passkeyResponse }),
    reply: signedIn,
  },
  passkeyOptions: {
    method: 'POST',
    path: '/passkey-options',
    access: 'signed-in',
    summary:
      'What a browser needs to create a passkey. Requires the password, except just after a sign-in',
    duringSignIn: true,
    body: z.object(confirmation),
    reply: browserOptions,
  },
  addPasskey: {
    method: 'POST',
    path: '/passkeys',
    access: 'signed-in',
    summary: 'Add a passkey that the browser has created',
    duringSignIn: true,
    body: passkeyForm.extend({ response: newPasskeyResponse }),
    reply: recoveryCodes.extend({ passkey }),
  },
  renamePasskey: {
    method: 'PUT',
    path: '/passkeys/:id',
    access: 'signed-in',
    summary: 'Rename a passkey',
    params: idParams,
    body: passkeyForm,
    reply: z.object({ passkey }),
  },
  removePasskey: {
    method: 'DELETE',
    path: '/passkeys/:id',
    access: 'signed-in',
    summary: 'Remove a passkey',
    params: idParams,
    reply: success,
  },
  startAuthenticator: {
    method: 'POST',
    path: '/authenticator',
    access: 'staff',
    right: 'own',
    summary:
      'Make a secret for an authenticator app, which is turned on when it is confirmed. Requires ' +
      'the password, except just after a sign-in',
    duringSignIn: true,
    body: z.object(confirmation),
    reply: z.object({ secret: z.string(), qr: z.string() }),
  },
  confirmAuthenticator: {
    method: 'PUT',
    path: '/authenticator',
    access: 'staff',
    right: 'own',
    summary: 'Turn on the authenticator app, with a code that it shows',
    duringSignIn: true,
    body: authenticatorForm,
    reply: recoveryCodes,
  },
  removeAuthenticator: {
    method: 'POST',
    path: '/authenticator/remove',
    access: 'staff',
    right: 'own',
    summary: 'Turn off the authenticator app',
    throttle: 'sign-in',
    body: currentPassword,
    reply: success,
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/recovery-codes',
    access: 'staff',
    right: 'own',
    summary: 'Make ten new recovery codes. The old ones stop working',
    throttle: 'sign-in',
    body: currentPassword,
    reply: recoveryCodes,
  },
  sessions: {
    method: 'GET',
    path: '/sessions',
    access: 'signed-in',
    summary: 'The devices that are signed in, the most recently used first',
    reply: z.array(listedSession),
  },
  endSession: {
    method: 'DELETE',
    path: '/sessions/:id',
    access: 'signed-in',
    summary: 'Sign out on one device',
    params: idParams,
    reply: success,
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/sessions',
    access: 'signed-in',
    summary: 'Sign out everywhere else',
    reply: z.object({ ended: z.number() }),
  },
  chooseOwnPassword: {
    method: 'PUT',
    path: '/profile/own-password',
    access: 'signed-in',
    summary: 'Replace a password that somebody else has set, at the first sign-in with it',
    throttle: 'sign-in',
    duringSignIn: true,
    body: ownPassword,
    reply: success,
  },
  requirements: {
    method: 'GET',
    path: '/super-admin/second-factor',
    access: 'super-admin',
    summary: 'Which roles must have a second factor',
    reply: requirements,
  },
  setRequirements: {
    method: 'PUT',
    path: '/super-admin/second-factor',
    access: 'super-admin',
    summary:
      'Require a passkey or an authenticator app from super admins or instructors, ' +
      'starting with their next sign-in',
    body: requirements,
    reply: requirements,
  },
} as const satisfies Api
