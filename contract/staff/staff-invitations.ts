import { z } from 'zod'
import { newPassword } from '../accounts/accounts.ts'
import { signedInUser } from '../accounts/users.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  email,
  emptyAsUndefined,
  idParams,
  singleLineText,
  success,
  unrestrictedName,
} from '../lib/fields.ts'
import { dojoBranding } from '../pictures/pictures.ts'
import { staffGrant, staffInvitation, staffInvitationForm } from './staff-grants.ts'

/** The page that a link opens. The secret comes after a "#", so that no server logs it. */
export const STAFF_INVITATION_PATH = '/join-staff'

const sentInvitation = z.object({
  invitation: staffInvitation,
  /** For the instructor to copy and send. It is shown only once. */
  link: z.string(),
  /** True if the server also sent the link by email. */
  is_sent: z.boolean(),
})
export type SentStaffInvitation = z.output<typeof sentInvitation>

/** The part of the link after the "#". */
const linkSecret = { invitation: singleLineText('Invitation', 100) }

const invitationDetails = staffGrant.omit({ class_ids: true }).extend({
  dojo_name: z.string(),
  ...dojoBranding,
  name: z.string(),
  /** Null if the invitation has no email, so the person must enter one. */
  email: z.string().nullable(),
  /** The only classes that the person will see. Null means all. */
  class_names: z.array(z.string()).nullable(),
  /** True if this email has a login. The person must log in before they join. */
  has_login: z.boolean(),
})
export type StaffInvitationDetails = z.output<typeof invitationDetails>

export const newStaffLogin = z.object({
  ...linkSecret,
  name: emptyAsUndefined(unrestrictedName('Name')),
  /** Required if the invitation has no email. */
  email: emptyAsUndefined(email()),
  password: newPassword,
})
export type NewStaffLogin = z.output<typeof newStaffLogin>

export const staffInvitationsApi = {
  invite: {
    method: 'POST',
    path: '/open-staff-invitations',
    access: 'instructor',
    right: 'staff',
    summary:
      'Invite someone to join the staff. The link works once within 7 days, and is emailed if ' +
      'there is an address. An earlier invitation for the same email or student stops working',
    body: staffInvitationForm,
    reply: sentInvitation,
  },
  renew: {
    method: 'POST',
    path: '/open-staff-invitations/:id/renew',
    access: 'instructor',
    right: 'staff',
    summary: 'Send an invitation again, with a new link. The old link stops working',
    params: idParams,
    reply: sentInvitation,
  },
  cancel: {
    method: 'DELETE',
    path: '/open-staff-invitations/:id',
    access: 'instructor',
    right: 'staff',
    summary: 'Cancel a staff invitation',
    params: idParams,
    reply: success,
  },
  lookUp: {
    method: 'POST',
    path: '/staff-invitations/look-up',
    access: 'public',
    summary: 'Look up a staff invitation',
    throttle: 'sign-in',
    body: z.object(linkSecret),
    reply: invitationDetails,
  },
  accept: {
    method: 'POST',
    path: '/staff-invitations/accept',
    access: 'public',
    summary:
      'Create a login from a staff invitation. 409 if the email has a login: the person must log ' +
      'in and join. `token` and `user` are null before the person’s first day',
    throttle: 'registration',
    body: newStaffLogin,
    reply: z.object({ token: z.string().nullable(), user: signedInUser.nullable() }),
  },
  join: {
    method: 'POST',
    path: '/staff-invitations/join',
    access: 'member',
    right: 'own',
    summary: 'Join the staff with an existing login of a student or guardian',
    body: z.object(linkSecret),
    reply: z.object({ user: signedInUser }),
  },
} as const satisfies Api
