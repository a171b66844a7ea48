import { profileApi } from '@tatami/contract/profile/profile'
import { recoverAccount } from '../accounts/account-recovery.ts'
import { parseInvitationDojoId } from '../accounts/invitations.ts'
import { choosePassword, requestPasswordReset } from '../accounts/password-reset.ts'
import { refuseCommonPassword, refusePersonalPassword } from '../accounts/password-rules.ts'
import { hashPassword } from '../accounts/passwords.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { signIn } from '../accounts/sign-in.ts'
import { acceptInvitation, lookUpInvitation } from '../families/login-invitations.ts'
import { closePendingLogins } from '../guardians/logins.ts'
import { createFairQueue, requesterByAddress } from '../http/fair-queue.ts'
import type { Mailer } from '../lib/mail.ts'
import { Refusal } from '../lib/refusal.ts'
import { type App, type Handlers, SUCCESS, serve, okReply } from '../http/serve.ts'
import { endAccessSince } from './end-access.ts'
import { changeOwnPassword, changeProfile } from './change.ts'
import { joinAsGuardian } from './join-as-guardian.ts'
import { readInvitationDetails, joinByInvitation } from './join.ts'
import { notifyAboutGuesses } from './notify-account-change.ts'
import { loadUser } from './profile.ts'
import { buildSignedInReply } from './signed-in.ts'

type Settings = { failedSignIns: number; publicUrl: string }
type ProfileContext = Settings & { app: App; sessions: Sessions; mail: Mailer }
type ProfileHandlers = Handlers<typeof profileApi>

/** Sends password reset mails after the response. A request waits for a minute at most. */
const resetQueue = createFairQueue({
  concurrency: 2,
  maxWaiting: 1000,
  timeoutMs: 60_000,
  refusal: () => new Refusal(503, 'Too many requests for a password reset are waiting'),
})

export function profileRoutes(app: App, sessions: Sessions, mail: Mailer, settings: Settings) {
  const context: ProfileContext = { app, sessions, mail, ...settings }
  serve(app, profileApi, {
    ...signInHandlers(context),
    ...joinHandlers(context),
    ...passwordHandlers(context),
  })
}

const signInHandlers = ({
  app,
  sessions,
  mail,
  failedSignIns,
  publicUrl,
}: ProfileContext): Pick<
  ProfileHandlers,
  'login' | 'logout' | 'show' | 'update' | 'signInOptions'
> => ({
  login: {
    withoutTransaction: async ({ body, address, userAgent }) => {
      const origin = { address, userAgent }
      const signInResult = await signIn(app, body, origin, failedSignIns, (tx, account) =>
        notifyAboutGuesses(tx, mail, account),
      )
      return buildSignedInReply(app.db, sessions, signInResult)
    },
  },
  logout: ({ tx, caller }) => okReply(sessions.endSession(tx, caller.sessionId)),
  show: ({ tx, caller }) => loadUser(tx, caller),
  update: {
    withoutTransaction: async ({ caller, body }) => {
      await changeProfile(app.db, sessions, { mail, publicUrl }, caller, body)
      return { ...SUCCESS, message: 'Your profile was updated. Please log in again.' }
    },
  },
  signInOptions: async () => ({ password_reset: mail.isConfigured }),
})

const joinHandlers = ({
  app,
  sessions,
}: ProfileContext): Pick<
  ProfileHandlers,
  'invited' | 'join' | 'joinAsGuardian' | 'lookUpInvitation' | 'acceptInvitation'
> => ({
  invited: ({ tx, query }) => readInvitationDetails(tx, query.invite_code),
  join: {
    withoutTransaction: ({ body, address, userAgent }) =>
      joinByInvitation(app.db, body, { address, userAgent }),
  },
  joinAsGuardian: {
    withoutTransaction: ({ body, address, userAgent }) =>
      joinAsGuardian(app.db, body, { address, userAgent }),
  },
  lookUpInvitation: { withoutTransaction: ({ body }) => lookUpInvitation(app.db, body.invitation) },
  acceptInvitation: {
    withoutTransaction: async ({ body: { invitation, password }, address, userAgent }) => {
      const { name, email, dojo_name } = await lookUpInvitation(app.db, invitation)
      await refuseCommonPassword(app.db, 'password', password)
      const passwordHash = await hashPassword(password, requesterByAddress(address))
      const dojoId = parseInvitationDojoId(invitation)
      return app.db.inDojo(dojoId, async (tx) => {
        await refusePersonalPassword(tx, 'password', password, [name, email, dojo_name])
        const origin = { address, userAgent }
        const { token, identity } = await acceptInvitation(
          tx,
          dojoId,
          invitation,
          passwordHash,
          origin,
        )
        await closePendingLogins(tx, sessions, dojoId, identity.id)
        return { token, user: await loadUser(tx, identity) }
      })
    },
  },
})

const passwordHandlers = ({
  app,
  sessions,
  mail,
  failedSignIns,
  publicUrl,
}: ProfileContext): Pick<
  ProfileHandlers,
  'changePassword' | 'forgotPassword' | 'choosePassword' | 'recover'
> => ({
  changePassword: {
    withoutTransaction: ({ caller, body }) =>
      okReply(
        changeOwnPassword(app.db, sessions, { mail, publicUrl }, caller, body, failedSignIns),
      ),
  },
  forgotPassword: {
    withoutTransaction: async ({ body, address }) => {
      // Runs in the background, so that the timing does not reveal whether the account exists.
      app.runInBackground(() =>
        resetQueue(requesterByAddress(address), () =>
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
  choosePassword: {
    withoutTransaction: ({ body: { reset_token, new_password }, address }) =>
      okReply(choosePassword(app.db, sessions, endAccessSince, reset_token, new_password, address)),
  },
  recover: {
    withoutTransaction: ({ body }) =>
      recoverAccount(app.db, sessions, mail, endAccessSince, body.recovery_token, body.email),
  },
})
