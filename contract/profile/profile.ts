import { z } from 'zod'
import {
  credentials,
  enteredPassword,
  newPassword,
  PASSWORD_MAX,
  PASSWORD_MIN,
} from '../accounts/accounts.ts'
import { BELT_TEST_NAMES } from '../dojos/belt-test.ts'
import { timeZone, US_STATES } from '../dojos/dojos.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  clearable,
  email,
  emptyAsUndefined,
  properName,
  oneOf,
  phone,
  singleLineText,
  success,
  successWithMessage,
} from '../lib/fields.ts'
import { guardianJoinForm, invitationDetails, joinForm } from './join.ts'
import { signedIn, signedInUser } from '../accounts/users.ts'
import { dojoCard } from '../pictures/pictures.ts'

const PASSWORD_TOO_SHORT = 'Password must be at least 8 characters long'
/** An empty password leaves the old one unchanged (specification, section 5). */
export const profileUpdate = z.object({
  email: email(),
  dojo_name: singleLineText('Dojo name', 100),
  phone_number: clearable(phone('Phone number')),
  city: clearable(properName('City')),
  state: clearable(oneOf('State', US_STATES)),
  time_zone: emptyAsUndefined(timeZone),
  belt_test_name: oneOf('Word for a belt test', BELT_TEST_NAMES).optional(),
  password: emptyAsUndefined(
    z
      .string({ error: 'Password is not valid' })
      .min(PASSWORD_MIN, PASSWORD_TOO_SHORT)
      .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
  ),
})
export type ProfileUpdate = z.output<typeof profileUpdate>

export const passwordChange = z.object({
  current_password: enteredPassword,
  new_password: newPassword,
})
export const forgotPassword = z.object({ email: email() })
const invitationSecret = singleLineText('Invitation', 100)
export const invitationAcceptance = z.object({
  invitation: invitationSecret,
  password: newPassword,
})
/** The account gets `email` if another account has taken its previous email. */
export const recovery = z.object({
  recovery_token: singleLineText('Link', 100),
  email: clearable(email()),
})
export const chosenPassword = z.object({
  reset_token: singleLineText('Link', 100),
  new_password: newPassword,
})

export const profileApi = {
  login: {
    method: 'POST',
    path: '/login',
    access: 'public',
    summary:
      'Sign in with email and password, and with the `code` of an authenticator app if one is ' +
      'turned on (422 for the field `code` if it is missing or wrong). Returns a token for the ' +
      'Authorization header',
    throttle: 'sign-in',
    body: credentials,
    reply: signedIn,
  },
  logout: {
    method: 'POST',
    path: '/logout',
    access: 'signed-in',
    summary: 'Revoke the token of this call',
    duringSignIn: true,
    duringPreview: true,
    reply: success,
  },
  invited: {
    method: 'GET',
    path: '/register',
    access: 'public',
    summary: 'The dojo that an invitation leads to, and the classes to choose from',
    query: joinForm.pick({ invite_code: true }),
    reply: invitationDetails,
  },
  join: {
    method: 'POST',
    path: '/register',
    access: 'public',
    summary:
      'Join a dojo by its invitation, as a trial student who awaits approval. A student under 13 ' +
      'is refused: a guardian must join instead',
    throttle: 'registration',
    body: joinForm,
    reply: signedIn,
  },
  joinAsGuardian: {
    method: 'POST',
    path: '/register/guardian',
    access: 'public',
    summary:
      'Join a dojo by its invitation as the guardian of up to 10 children, who need no login',
    throttle: 'registration',
    body: guardianJoinForm,
    reply: signedIn,
  },
  lookUpInvitation: {
    method: 'POST',
    path: '/log-in-invitations/look-up',
    access: 'public',
    summary: 'Who a login invitation is for, and the email they will log in with',
    throttle: 'sign-in',
    body: z.object({ invitation: invitationSecret }),
    reply: z.object({
      ...dojoCard,
      name: z.string(),
      email: z.string(),
      is_guardian: z.boolean(),
    }),
  },
  acceptInvitation: {
    method: 'POST',
    path: '/log-in-invitations/accept',
    access: 'public',
    summary: 'Create a login with an invitation',
    throttle: 'registration',
    body: invitationAcceptance,
    reply: signedIn,
  },
  show: {
    method: 'GET',
    path: '/profile',
    access: 'signed-in',
    summary:
      'Who is signed in. `sign_in_step` is what they must do before any other call: choose a ' +
      'password or set up a second factor. Null if nothing',
    duringSignIn: true,
    reply: signedInUser,
  },
  update: {
    method: 'PUT',
    path: '/profile',
    access: 'instructor',
    right: 'own',
    summary:
      'Change an instructor’s settings. Ends all their sessions. Without a password, or with an ' +
      'empty one, the password stays the same',
    body: profileUpdate,
    reply: successWithMessage,
  },
  changePassword: {
    method: 'PUT',
    path: '/profile/password',
    access: 'signed-in',
    summary: 'Change the caller’s password. Ends their other sessions',
    throttle: 'sign-in',
    body: passwordChange,
    reply: success,
  },
  signInOptions: {
    method: 'GET',
    path: '/sign-in-options',
    access: 'public',
    summary: 'Whether a forgotten password can be reset by email',
    reply: z.object({ password_reset: z.boolean() }),
  },
  forgotPassword: {
    method: 'POST',
    path: '/password-reset/request',
    access: 'public',
    summary: 'Email a link that resets the password. The reply is the same for every address',
    throttle: 'sign-in',
    body: forgotPassword,
    reply: successWithMessage,
  },
  choosePassword: {
    method: 'POST',
    path: '/password-reset',
    access: 'public',
    summary: 'Set a password with an emailed link',
    throttle: 'sign-in',
    body: chosenPassword,
    reply: success,
  },
  recover: {
    method: 'POST',
    path: '/account-recovery',
    access: 'public',
    summary:
      'Recover an account with the link that was emailed when it was changed. Ends its password ' +
      'and sessions. Returns a token for POST /password-reset and the people whose logins were ' +
      'created in the meantime. `email` replaces the previous email if another account has taken it',
    throttle: 'sign-in',
    body: recovery,
    reply: z.object({
      email: z.string(),
      reset_token: z.string(),
      /** Guardians whose logins were created while a stranger may have had access. */
      guardian_log_ins: z.array(z.string()),
      student_log_ins: z.array(z.string()),
    }),
  },
} as const satisfies Api
