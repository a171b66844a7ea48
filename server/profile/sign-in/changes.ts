import { type Account, requireAccount } from '../../accounts/accounts.ts'
import type { RelyingParty } from '../../accounts/passkeys.ts'
import { confirmCallerPassword } from '../../accounts/confirm-owner.ts'
import { requireLiveSession, type Sessions } from '../../accounts/sessions.ts'
import type { Tx } from '../../db/database.ts'
import type { App, Caller } from '../../http/serve.ts'
import type { Mailer } from '../../lib/mail.ts'
import { notifySignInChange, type SignInAction } from './notify.ts'

export type SignInContext = {
  app: App
  sessions: Sessions
  mail: Mailer
  party: RelyingParty | null
  failedSignIns: number
  publicUrl: string
}

export const confirmCaller = (
  { app: { db }, failedSignIns }: SignInContext,
  caller: Caller,
  password: string | undefined,
): Promise<void> => confirmCallerPassword(db, caller, password, failedSignIns)

/** `action` is null if nothing was changed. `name` is the name of the passkey. */
type SignInChange<Result> = { reply: Result; action: SignInAction | null; name?: string }

/** Changes how somebody signs in to the account, and notifies its owner. */
export async function changeSignIn<Result>(
  { app: { db }, sessions, mail, publicUrl }: SignInContext,
  caller: Caller,
  change: (tx: Tx, account: Account) => Promise<SignInChange<Result>>,
): Promise<Result> {
  const { reply, email } = await db.withoutDojo(async (tx) => {
    await requireLiveSession(tx, caller)
    const account = await requireAccount(tx, caller.id)
    const result = await change(tx, account)
    // The change may complete the session's sign-in step, so the session is loaded again.
    await sessions.publishAccountChange(tx, caller.id)
    const { action, name } = result
    return {
      reply: result.reply,
      email: action && (await notifySignInChange(tx, mail, publicUrl, account, action, name)),
    }
  })
  if (email) mail.send(email)
  return reply
}
