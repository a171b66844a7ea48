import { staffApi } from '@tatami/contract/staff/staff'
import {
  type SentStaffInvitation,
  staffInvitationsApi,
} from '@tatami/contract/staff/staff-invitations'
import { readStaffRules } from '../accounts/staff-rules.ts'
import type { Tx } from '../db/database.ts'
import { type App, type DojoCaller, okReply, serve } from '../http/serve.ts'
import type { Mailer } from '../lib/mail.ts'
import { runWithoutLimits } from '../lib/request-context.ts'
import { acceptInvitation, joinByInvitation, lookUpInvitation } from './accept-invitation.ts'
import { certificateRoutes } from './certificates/routes.ts'
import { composeInvitationEmail } from './invitation-email.ts'
import {
  cancelInvitation,
  inviteToStaff,
  listInvitations,
  type NewInvitation,
  renewInvitation,
} from './invitations.ts'
import { changeMember, endMember, rehireMember } from './membership.ts'
import { makeOwner, removeOwner } from './ownership.ts'
import { setStaffRules } from './rules.ts'
import { listStaff } from './staff-list.ts'
import { endPreview, startPreview, switchView } from './views.ts'

type StaffServices = { mail: Mailer; publicUrl: string; failedSignIns: number }

export function staffRoutes(app: App, services: StaffServices) {
  invitationRoutes(app, services)
  certificateRoutes(app)
  const ownership = { db: app.db, mail: services.mail, failedSignIns: services.failedSignIns }
  serve(app, staffApi, {
    list: async ({ tx, caller }) => ({
      ...(await listStaff(tx, caller.dojoId)),
      invitations: await listInvitations(tx),
      rules: await readStaffRules(tx),
    }),
    change: async ({ tx, caller, params, body }) => ({
      person: await changeMember(tx, caller, params.id, body),
    }),
    end: async ({ tx, caller, params, body }) => ({
      person: await endMember(tx, caller, params.id, body.ends_on ?? null),
    }),
    rehire: async ({ tx, caller, params, body }) => ({
      person: await rehireMember(tx, caller, params.id, body),
    }),
    makeOwner: {
      withoutTransaction: ({ caller, params, body }) =>
        okReply(makeOwner(ownership, caller, params.id, body)),
    },
    removeOwner: {
      withoutTransaction: ({ caller, params, body }) =>
        okReply(removeOwner(ownership, caller, params.id, body)),
    },
    setRules: async ({ tx, caller, body }) => ({ rules: await setStaffRules(tx, caller, body) }),
    view: {
      // The current view may be limited to some classes.
      withoutTransaction: ({ caller, body }) =>
        runWithoutLimits(() =>
          app.db.inDojo(caller.dojoId, (tx) => startPreview(tx, caller, body)),
        ),
    },
    endView: {
      withoutTransaction: ({ caller }) =>
        runWithoutLimits(() => app.db.inDojo(caller.dojoId, (tx) => endPreview(tx, caller))),
    },
    switchView: {
      withoutTransaction: ({ caller, body }) =>
        runWithoutLimits(() =>
          app.db.inDojo(caller.dojoId, (tx) => switchView(tx, caller, body.family)),
        ),
    },
  })
}

function invitationRoutes(app: App, { mail, publicUrl }: StaffServices) {
  /** Sends the email after the commit. */
  async function sendInvitation(
    { dojoId }: DojoCaller,
    prepare: (tx: Tx) => Promise<NewInvitation>,
  ): Promise<SentStaffInvitation> {
    const { newInvitation, email } = await app.db.inDojo(dojoId, async (tx) => {
      const invitation = await prepare(tx)
      const invitationEmail = await composeInvitationEmail(tx, dojoId, invitation)
      return { newInvitation: invitation, email: invitationEmail }
    })
    if (email) mail.send(email)
    return { ...newInvitation, is_sent: email !== null && mail.isConfigured }
  }
  serve(app, staffInvitationsApi, {
    invite: {
      withoutTransaction: ({ caller, body }) =>
        sendInvitation(caller, (tx) => inviteToStaff(tx, caller, body, publicUrl)),
    },
    renew: {
      withoutTransaction: ({ caller, params }) =>
        sendInvitation(caller, (tx) => renewInvitation(tx, caller, params.id, publicUrl)),
    },
    cancel: ({ tx, caller, params }) => okReply(cancelInvitation(tx, caller, params.id)),
    lookUp: { withoutTransaction: ({ body }) => lookUpInvitation(app.db, body.invitation) },
    accept: {
      withoutTransaction: ({ body, address, userAgent }) =>
        acceptInvitation(app.db, body, { address, userAgent }),
    },
    join: ({ tx, caller, body }) => joinByInvitation(tx, caller, body.invitation),
  })
}
