import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { email, flag, idParams, success, uuid } from '../lib/fields.ts'

/** The instructor copies and sends `link`. It is null if a mail server sends the invitation. */
const sentInvitation = z.object({
  email: z.string(),
  expires_at: z.string(),
  is_sent: z.boolean(),
  link: z.string().nullable(),
})
export type SentInvitation = z.output<typeof sentInvitation>

/** Consent to a login for a child under 13, given to the school on paper or in person. */
const loginConsent = z.object({ guardian_id: uuid('Guardian'), is_given: flag('Agreed') })
export type LoginConsent = z.output<typeof loginConsent>

export const loginsApi = {
  invite: {
    method: 'POST',
    path: '/guardians/:id/log-in-invitation',
    access: 'instructor',
    right: 'students.edit',
    summary:
      'Invite a guardian to create a login, by email or by a link to copy; an earlier ' +
      'invitation stops working',
    params: idParams,
    reply: sentInvitation,
  },
  inviteStudent: {
    method: 'POST',
    path: '/students/:id/log-in-invitation',
    access: 'instructor',
    right: 'students.edit',
    summary:
      'Invite a student to create a login, by a link that works once within 7 days; an earlier ' +
      'invitation stops working. A child under 13 needs the consent of a guardian',
    params: idParams,
    body: z.object({ email: email() }),
    reply: sentInvitation,
  },
  reopenLogin: {
    method: 'POST',
    path: '/students/:id/log-in/reopen',
    access: 'instructor',
    right: 'students.edit',
    summary: "Reopen a student's login that was closed in favor of a guardian's, within 7 days",
    params: idParams,
    reply: success,
  },
  endLogin: {
    method: 'DELETE',
    path: '/students/:id/log-in',
    access: 'instructor',
    right: 'students.edit',
    summary: "Delete a student's login; the student is kept, without an email",
    params: idParams,
    reply: success,
  },
  allowLogin: {
    method: 'PUT',
    path: '/family/students/:id/log-in',
    access: 'member',
    right: 'own',
    summary: 'Allow or forbid a child under 13 to have a login',
    params: idParams,
    body: z.object({ is_allowed: flag('Allowed') }),
    reply: success,
  },
  recordLoginConsent: {
    method: 'PUT',
    path: '/students/:id/log-in-consent',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Record whether a guardian agrees to a login for a child under 13',
    params: idParams,
    body: loginConsent,
    reply: success,
  },
} as const satisfies Api
