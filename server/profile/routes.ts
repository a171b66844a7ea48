import { profileApi } from '@tatami/contract/profile/profile'
import { recoverAccount } from '../accounts/account-recovery.ts'
import { choosePassword, requestPasswordReset } from '../accounts/password-reset.ts'
import { refuseCommonPassword, refusePersonalPassword } from '../accounts/password-rules.ts'
import { hashPassword } from '../accounts/passwords.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { signIn } from '../accounts/sign-in.ts'
import {
  acceptInvitation,
  dojoOfInvitation,
  lookUpInvitation,
} from '../families/log-in-invitations.ts'
import { closeLogInsOf } from '../guardians/log-ins.ts'
import { fairQueue, requesterByAddress } from '../http/fair-queue.ts'
import type { Mailer } from '../lib/mail.ts'
import { Refusal } from '../lib/refusal.ts'
import { type App, SUCCESS, serve, okReply } from '../http/serve.ts'
import { endAccessSince } from './end-access.ts'
import { changeOwnPassword, changeProfile } from './change.ts'
import { joinAsGuardian } from './join-as-guardian.ts'
import { readInvitationDetails, joinByInvitation } from './join.ts'
import { notifyGuesses } from './notify-account-change.ts'
import { userOf } from './profile.ts'
import { signedInReply } from './signed-in.ts'

type Settings = { failedSignIns: number; publicUrl: string }

/** Password resets are answered before they are processed; they wait for a minute at most. */
const resets = fairQueue({
  concurrency: 2,
  maxWaiting: 1000,
  timeoutMs: 60_000,
  refusal: () => new Refusal(503, 'Too many links that reset a password are waiting'),
})

export const profileRoutes = (
  app: App,
  sessions: Sessions,
  mail: Mailer,
  { failedSignIns, publicUrl }: Settings,
) =>
  serve(app, profileApi, {
    login: {
      withoutTransaction: async ({ body, address, userAgent }) =>
        signedInReply(
          app.db,
          sessions,
          await signIn(app, body, { address, userAgent }, failedSignIns, (tx, account) =>
            notifyGuesses(tx, mail, account),
          ),
        ),
    },
    logout: ({ tx, caller }) => okReply(sessions.endSession(tx, caller.sessionId)),
    invited: ({ tx, query }) => readInvitationDetails(tx, query.invite_code),
    join: {
      withoutTransaction: ({ body, address, userAgent }) =>
        joinByInvitation(app.db, body, { address, userAgent }),
    },
    joinAsGuardian: {
      withoutTransaction: ({ body, address, userAgent }) =>
        joinAsGuardian(app.db, body, { address, userAgent }),
    },
    lookUpInvitation: {
      withoutTransaction: ({ body }) => lookUpInvitation(app.db, body.invitation),
    },
    acceptInvitation: {
      withoutTransaction: async ({ body, address, userAgent }) => {
        const { name, email, dojo_name } = await lookUpInvitation(app.db, body.invitation)
        await refuseCommonPassword(app.db, 'password', body.password)
        const hash = await hashPassword(body.password, requesterByAddress(address))
        const dojoId = dojoOfInvitation(body.invitation)
        return app.db.inDojo(dojoId, async (tx) => {
          await refusePersonalPassword(tx, 'password', body.password, [name, email, dojo_name])
          const { token, identity } = await acceptInvitation(tx, dojoId, body.invitation, hash, {
            address,
            userAgent,
          })
          await closeLogInsOf(tx, sessions, dojoId, identity.id)
          return { token, user: await userOf(tx, identity) }
        })
      },
    },
    show: ({ tx, caller }) => userOf(tx, caller),
    update: {
      withoutTransaction: async ({ caller, body }) => {
        await changeProfile(app.db, sessions, { mail, publicUrl }, caller, body)
        return { ...SUCCESS, message: 'Your profile was updated. Please log in again.' }
      },
    },
    changePassword: {
      withoutTransaction: async ({ caller, body }) => {
        await changeOwnPassword(app.db, sessions, { mail, publicUrl }, caller, body, failedSignIns)
        return SUCCESS
      },
    },
    signInOptions: async () => ({ password_reset: mail.isConfigured }),
    forgotPassword: {
      withoutTransaction: async ({ body, address }) => {
        // In the background, so that neither response nor time reveals whether the account exists.
        app.runInBackground(() =>
          resets(requesterByAddress(address), () =>
            requestPasswordReset(app.db, mail, publicUrl, body.email),
          ),
        )
        return {
          ...SUCCESS,
          message:
            'If there is an account with this email, a link to reset its password is on its way.',
        }
      },
    },
    recover: {
      withoutTransaction: ({ body }) =>
        recoverAccount(app.db, sessions, mail, endAccessSince, body.recovery_token, body.email),
    },
    choosePassword: {
      withoutTransaction: ({ body, address }) =>
        okReply(
          choosePassword(
            app.db,
            sessions,
            endAccessSince,
            body.reset_token,
            body.new_password,
            address,
          ),
        ),
    },
  })
