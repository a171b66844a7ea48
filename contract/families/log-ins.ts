import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { email, flag, idParams, success, uuid } from '../lib/fields.ts'

/** `link` is only set when no mail server is configured, for the instructor to copy. */
const sentInvitation = z.object({
  email: z.string(),
  expires_at: z.string(),
  is_sent: z.boolean(),
  link: z.string().nullable(),
})
export type SentInvitation = z.output<typeof sentInvitation>

/** Consent to a login for a child under 13, as the guardian told the school or signed it. */
const logInConsent = z.object({ guardian_id: uuid('Guardian'), is_given: flag('Agreed') })
export type LogInConsent = z.output<typeof logInConsent>

/** Logins of guardians and students. */
export const logInsApi = {
  invite: {
    method: 'POST',
    path: '/guardians/:id/log-in-invitation',
    access: 'instructor',
    summary:
      'Invite a guardian to make a login, by email or by a link to copy; an earlier ' +
      'invitation stops working',
    params: idParams,
    reply: sentInvitation,
  },
  inviteStudent: {
    method: 'POST',
    path: '/students/:id/log-in-invitation',
    access: 'instructor',
    summary:
      'Invite a student without a login to make one, by a link that works once, for 7 days; ' +
      'an earlier invitation stops working. Refused for a child under 13 while no guardian ' +
      'has agreed',
    params: idParams,
    body: z.object({ email: email() }),
    reply: sentInvitation,
  },
  reopenLogIn: {
    method: 'POST',
    path: '/students/:id/log-in/reopen',
    access: 'instructor',
    summary:
      "Open a student's own login again that was closed in favor of a guardian's, within 7 days",
    params: idParams,
    reply: success,
  },
  endLogIn: {
    method: 'DELETE',
    path: '/students/:id/log-in',
    access: 'instructor',
    summary: "End a student's own login; the student stays, without an email",
    params: idParams,
    reply: success,
  },
  allowLogIn: {
    method: 'PUT',
    path: '/family/students/:id/log-in',
    access: 'member',
    summary: 'Let a child under 13 have a login of their own, or not',
    params: idParams,
    body: z.object({ is_allowed: flag('Allowed') }),
    reply: success,
  },
  recordLogInConsent: {
    method: 'PUT',
    path: '/students/:id/log-in-consent',
    access: 'instructor',
    summary: 'Record that a guardian agrees to a login for a child under 13, or no longer does',
    params: idParams,
    body: logInConsent,
    reply: success,
  },
} as const satisfies Api
