import { signInApi, type SignInMethods } from '@tatami/contract/accounts/sign-in'
import { listPasskeys, toRelyingParty } from '../../accounts/passkeys.ts'
import { countRecoveryCodes } from '../../accounts/recovery-codes.ts'
import {
  readSecondFactorRequirements,
  setSecondFactorRequirements,
} from '../../accounts/requirements.ts'
import { type Sessions, listSessions } from '../../accounts/sessions.ts'
import { mustHaveSecondFactor } from '../../accounts/staff-caller.ts'
import { findAuthenticator } from '../../accounts/totp.ts'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { type App, type Caller, okReply, serve, SUCCESS } from '../../http/serve.ts'
import type { Mailer } from '../../lib/mail.ts'
import { notFound } from '../../lib/refusal.ts'
import { authenticatorHandlers } from './authenticator-handlers.ts'
import type { SignInContext } from './changes.ts'
import { chooseOwnPassword } from './own-password.ts'
import { passkeyHandlers } from './passkey-handlers.ts'

type Settings = { failedSignIns: number; publicUrl: string }

export function signInRoutes(app: App, sessions: Sessions, mail: Mailer, settings: Settings) {
  const party = toRelyingParty(settings.publicUrl)
  const context: SignInContext = { app, sessions, mail, party, ...settings }
  serve(app, signInApi, {
    ...passkeyHandlers(context),
    ...authenticatorHandlers(context),
    methods: ({ tx, caller }) => readMethods(context, tx, caller),
    sessions: ({ tx, caller }) => listSessions(tx, caller),
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
        okReply(chooseOwnPassword(app.db, sessions, caller, body.new_password)),
    },
    requirements: ({ tx }) => readSecondFactorRequirements(tx),
    setRequirements: async ({ tx, caller, body }) => {
      const requirements = await setSecondFactorRequirements(tx, caller.id, body)
      await sessions.publishRequirementsChange(tx)
      return requirements
    },
  })
}

async function readMethods(
  { party }: SignInContext,
  tx: Tx,
  caller: Caller,
): Promise<SignInMethods> {
  const { id, role } = caller
  const authenticator = await findAuthenticator(tx, id)
  return {
    passkeys: await listPasskeys(tx, id),
    passkey_host: party?.id ?? null,
    may_use_authenticator: role === 'instructor' || role === 'super-admin',
    authenticator_since: authenticator?.confirmed_at ?? null,
    recovery_codes_left: await countRecoveryCodes(tx, id),
    is_required: await mustHaveSecondFactor(tx, caller),
  }
}
