import type { signInApi } from '@tatami/contract/accounts/sign-in'
import { requireAccount } from '../../accounts/accounts.ts'
import { deleteRecoveryCodes, renewRecoveryCodes } from '../../accounts/recovery-codes.ts'
import { confirmNewAuthenticator } from '../../accounts/second-factor.ts'
import { requireLiveSession } from '../../accounts/sessions.ts'
import { findAuthenticator, deleteAuthenticator, startAuthenticator } from '../../accounts/totp.ts'
import { auditAction } from '../../audit/audit.ts'
import { type Handlers, SUCCESS } from '../../http/serve.ts'
import { notFound, Refusal } from '../../lib/refusal.ts'
import { changeSignIn, confirmCaller, type SignInContext } from './changes.ts'

type AuthenticatorHandlers = Pick<
  Handlers<typeof signInApi>,
  'startAuthenticator' | 'confirmAuthenticator' | 'removeAuthenticator' | 'renewRecoveryCodes'
>

export const authenticatorHandlers = (context: SignInContext): AuthenticatorHandlers => {
  const { db } = context.app
  return {
    startAuthenticator: {
      withoutTransaction: async ({ caller, body }) => {
        await confirmCaller(context, caller, body.current_password)
        return db.withoutDojo(async (tx) =>
          startAuthenticator(tx, await requireAccount(tx, caller.id)),
        )
      },
    },
    confirmAuthenticator: {
      withoutTransaction: async ({ caller, body }) => {
        // A refusal is thrown after the commit, because a wrong code must be counted.
        const result = await changeSignIn(context, caller, async (tx, account) => {
          const { failedSignIns } = context
          const reply = await confirmNewAuthenticator(tx, account, body.code, failedSignIns)
          return { reply, action: reply instanceof Refusal ? null : 'authenticator app added' }
        })
        if (result instanceof Refusal) throw result
        return result
      },
    },
    removeAuthenticator: {
      withoutTransaction: async ({ caller, body }) => {
        await confirmCaller(context, caller, body.current_password)
        return changeSignIn(context, caller, async (tx) => {
          if (!(await findAuthenticator(tx, caller.id))) throw notFound('Authenticator app')
          await deleteAuthenticator(tx, caller.id)
          await deleteRecoveryCodes(tx, caller.id)
          return { reply: SUCCESS, action: 'authenticator app removed' }
        })
      },
    },
    renewRecoveryCodes: {
      withoutTransaction: async ({ caller, body }) => {
        await confirmCaller(context, caller, body.current_password)
        return db.withoutDojo(async (tx) => {
          await requireLiveSession(tx, caller)
          await auditAction(tx, caller, 'recovery codes renewed', { subject_id: caller.id })
          return { recovery_codes: await renewRecoveryCodes(tx, caller.id) }
        })
      },
    },
  }
}
