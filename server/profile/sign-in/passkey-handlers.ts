import type { signInApi } from '@tatami/contract/accounts/sign-in'
import { requireAccount } from '../../accounts/accounts.ts'
import {
  addPasskey,
  createPasskeyOptions,
  createPasskeySignInOptions,
  removePasskey,
  renamePasskey,
  requireRelyingParty,
} from '../../accounts/passkeys.ts'
import { createFirstRecoveryCodes } from '../../accounts/recovery-codes.ts'
import { mustHaveSecondFactor } from '../../accounts/staff-caller.ts'
import { signInByPasskey } from '../../accounts/sign-in.ts'
import { type Handlers, SUCCESS } from '../../http/serve.ts'
import { buildSignedInReply } from '../signed-in.ts'
import { changeSignIn, confirmCaller, type SignInContext } from './changes.ts'

type PasskeyHandlers = Pick<
  Handlers<typeof signInApi>,
  | 'passkeySignInOptions'
  | 'passkeySignIn'
  | 'passkeyOptions'
  | 'addPasskey'
  | 'renamePasskey'
  | 'removePasskey'
>

export const passkeyHandlers = (context: SignInContext): PasskeyHandlers => {
  const { app, sessions } = context
  const requireParty = () => requireRelyingParty(context.party)
  return {
    passkeySignInOptions: async ({ tx }) => ({
      options: await createPasskeySignInOptions(tx, requireParty()),
    }),
    passkeySignIn: {
      withoutTransaction: async ({ body, address, userAgent }) => {
        const origin = { address, userAgent }
        const signInResult = await signInByPasskey(app, requireParty(), body.response, origin)
        return buildSignedInReply(app.db, sessions, signInResult)
      },
    },
    passkeyOptions: {
      withoutTransaction: async ({ caller, body }) => {
        const party = requireParty()
        await confirmCaller(context, caller, body.current_password)
        return app.db.withoutDojo(async (tx) => ({
          options: await createPasskeyOptions(tx, party, await requireAccount(tx, caller.id)),
        }))
      },
    },
    addPasskey: {
      withoutTransaction: ({ caller, body }) =>
        changeSignIn(context, caller, async (tx) => {
          const { name, response } = body
          const passkey = await addPasskey(tx, requireParty(), caller.id, name, response)
          const isRequired = await mustHaveSecondFactor(tx, caller)
          const recovery_codes = isRequired ? await createFirstRecoveryCodes(tx, caller.id) : []
          return { reply: { passkey, recovery_codes }, action: 'passkey added', name: passkey.name }
        }),
    },
    renamePasskey: async ({ tx, caller, params, body }) => ({
      passkey: await renamePasskey(tx, caller.id, params.id, body.name),
    }),
    removePasskey: {
      withoutTransaction: ({ caller, params }) =>
        changeSignIn(context, caller, async (tx) => {
          const { name } = await removePasskey(tx, caller.id, params.id)
          return { reply: SUCCESS, action: 'passkey removed', name }
        }),
    },
  }
}
