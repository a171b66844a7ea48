import { signInApi, type SignInMethods } from '@tatami/contract/accounts/sign-in'
import { type Account, requireAccount } from '../../accounts/accounts.ts'
import {
  addPasskey,
  passkeyOptions,
  passkeySignInOptions,
  passkeysOf,
  relyingParty,
  removePasskey,
  renamePasskey,
  requireRelyingParty,
} from '../../accounts/passkeys.ts'
import {
  countRecoveryCodes,
  deleteRecoveryCodes,
  firstRecoveryCodes,
  renewRecoveryCodes,
} from '../../accounts/recovery-codes.ts'
import {
  isSecondFactorRequired,
  secondFactorRequirements,
  setSecondFactorRequirements,
} from '../../accounts/requirements.ts'
import { confirmNewAuthenticator } from '../../accounts/second-factor.ts'
import {
  isRecentSession,
  requireLiveSession,
  type Sessions,
  sessionsOf,
} from '../../accounts/sessions.ts'
import { confirmPassword } from '../../accounts/sign-in-throttle.ts'
import { signInByPasskey } from '../../accounts/sign-in.ts'
import { authenticatorOf, deleteAuthenticator, startAuthenticator } from '../../accounts/totp.ts'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { type App, type Caller, serve, SUCCESS, okReply } from '../../http/serve.ts'
import type { Email, Mailer } from '../../lib/mail.ts'
import { invalid, notFound, Refusal } from '../../lib/refusal.ts'
import { WRONG_PASSWORD } from '../change.ts'
import { signedInReply } from '../signed-in.ts'
import { notifySignInChange } from './notify.ts'
import { chooseOwnPassword } from './own-password.ts'

type Settings = { failedSignIns: number; publicUrl: string }
/** The password is not asked for again so soon after a sign-in. */
const FRESH_MINUTES = 10

export function signInRoutes(
  app: App,
  sessions: Sessions,
  mail: Mailer,
  { failedSignIns, publicUrl }: Settings,
) {
  const { db } = app
  const party = relyingParty(publicUrl)
  const inCallersOwn = <T>(work: (tx: Tx) => Promise<T>) => db.withoutDojo(work)

  /** 422 for a wrong password, and for a missing one after a while. */
  async function confirmOwner(caller: Caller, password: string | undefined): Promise<void> {
    if (password === undefined) {
      if (!(await inCallersOwn((tx) => isRecentSession(tx, caller, FRESH_MINUTES))))
        throw invalid('current_password', 'Password is required')
    } else if (!(await confirmPassword(db, caller.id, password, failedSignIns)))
      throw invalid('current_password', WRONG_PASSWORD)
  }

  /** Works for a live session, then sends the returned mail. */
  async function changingSignIn<T>(
    caller: Caller,
    work: (tx: Tx, account: Account) => Promise<{ reply: T; email: Email | null }>,
  ): Promise<T> {
    const { reply, email } = await inCallersOwn(async (tx) => {
      await requireLiveSession(tx, caller)
      const result = await work(tx, await requireAccount(tx, caller.id))
      // The change may have completed the session's pending step.
      await sessions.accountChanged(tx, caller.id)
      return result
    })
    if (email) mail.send(email)
    return reply
  }

  const methodsOf = async (tx: Tx, { id, role }: Caller): Promise<SignInMethods> => ({
    passkeys: await passkeysOf(tx, id),
    passkey_host: party?.id ?? null,
    may_use_authenticator: role === 'instructor' || role === 'super-admin',
    authenticator_since: (await authenticatorOf(tx, id))?.confirmed_at ?? null,
    recovery_codes_left: await countRecoveryCodes(tx, id),
    is_required: await isSecondFactorRequired(tx, role),
  })

  serve(app, signInApi, {
    methods: ({ tx, caller }) => methodsOf(tx, caller),
    passkeySignInOptions: async ({ tx }) => ({
      options: await passkeySignInOptions(tx, requireRelyingParty(party)),
    }),
    passkeySignIn: {
      withoutTransaction: async ({ body, address, userAgent }) =>
        signedInReply(
          db,
          sessions,
          await signInByPasskey(app, requireRelyingParty(party), body.response, {
            address,
            userAgent,
          }),
        ),
    },
    passkeyOptions: {
      withoutTransaction: async ({ caller, body }) => {
        const forParty = requireRelyingParty(party)
        await confirmOwner(caller, body.current_password)
        return inCallersOwn(async (tx) => ({
          options: await passkeyOptions(tx, forParty, await requireAccount(tx, caller.id)),
        }))
      },
    },
    addPasskey: {
      withoutTransaction: ({ caller, body }) =>
        changingSignIn(caller, async (tx, account) => {
          const passkey = await addPasskey(
            tx,
            requireRelyingParty(party),
            caller.id,
            body.name,
            body.response,
          )
          const recovery_codes = (await isSecondFactorRequired(tx, caller.role))
            ? await firstRecoveryCodes(tx, caller.id)
            : []
          const email = await notifySignInChange(
            tx,
            mail,
            publicUrl,
            account,
            'passkey added',
            passkey.name,
          )
          return { reply: { passkey, recovery_codes }, email }
        }),
    },
    renamePasskey: async ({ tx, caller, params, body }) => ({
      passkey: await renamePasskey(tx, caller.id, params.id, body.name),
    }),
    removePasskey: {
      withoutTransaction: ({ caller, params }) =>
        changingSignIn(caller, async (tx, account) => {
          const { name } = await removePasskey(tx, caller.id, params.id)
          return {
            reply: SUCCESS,
            email: await notifySignInChange(tx, mail, publicUrl, account, 'passkey removed', name),
          }
        }),
    },
    startAuthenticator: {
      withoutTransaction: async ({ caller, body }) => {
        await confirmOwner(caller, body.current_password)
        return inCallersOwn(async (tx) =>
          startAuthenticator(tx, await requireAccount(tx, caller.id)),
        )
      },
    },
    confirmAuthenticator: {
      withoutTransaction: async ({ caller, body }) => {
        const outcome = await changingSignIn<Refusal | { recovery_codes: string[] }>(
          caller,
          async (tx, account) => {
            const reply = await confirmNewAuthenticator(tx, account, body.code, failedSignIns)
            if (reply instanceof Refusal) return { reply, email: null }
            return {
              reply,
              email: await notifySignInChange(
                tx,
                mail,
                publicUrl,
                account,
                'authenticator app added',
              ),
            }
          },
        )
        if (outcome instanceof Refusal) throw outcome
        return outcome
      },
    },
    removeAuthenticator: {
      withoutTransaction: async ({ caller, body }) => {
        await confirmOwner(caller, body.current_password)
        return changingSignIn(caller, async (tx, account) => {
          if (!(await authenticatorOf(tx, caller.id))) throw notFound('Authenticator app')
          await deleteAuthenticator(tx, caller.id)
          await deleteRecoveryCodes(tx, caller.id)
          return {
            reply: SUCCESS,
            email: await notifySignInChange(
              tx,
              mail,
              publicUrl,
              account,
              'authenticator app removed',
            ),
          }
        })
      },
    },
    renewRecoveryCodes: {
      withoutTransaction: async ({ caller, body }) => {
        await confirmOwner(caller, body.current_password)
        return inCallersOwn(async (tx) => {
          await requireLiveSession(tx, caller)
          await auditAction(tx, caller, 'recovery codes renewed', { subject_id: caller.id })
          return { recovery_codes: await renewRecoveryCodes(tx, caller.id) }
        })
      },
    },
    sessions: ({ tx, caller }) => sessionsOf(tx, caller),
    endSession: async ({ tx, caller, params }) => {
      if (!(await sessions.endSessionById(tx, caller.id, params.id))) throw notFound('Session')
      await auditAction(tx, caller, 'session ended', { subject_id: caller.id })
      return SUCCESS
    },
    endOtherSessions: async ({ tx, caller }) => {
      const endedCount = await sessions.endOtherSessions(tx, caller, 'signed-out')
      if (endedCount > 0)
        await auditAction(tx, caller, 'other sessions ended', {
          subject_id: caller.id,
          details: { ended: endedCount },
        })
      return { ended: endedCount }
    },
    chooseOwnPassword: {
      withoutTransaction: ({ caller, body }) =>
        okReply(chooseOwnPassword(db, sessions, caller, body.new_password)),
    },
    requirements: ({ tx }) => secondFactorRequirements(tx),
    setRequirements: async ({ tx, caller, body }) => {
      const requirements = await setSecondFactorRequirements(tx, caller.id, body)
      await sessions.rulesChanged(tx)
      return requirements
    },
  })
}
