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

/** `action` is null if nothing was changed. */
type SignInChange<T> = { reply: T; action: SignInAction | null; name?: string }

export async function changeSignIn<T>(
  { app: { db }, sessions, mail, publicUrl }: SignInContext,
  caller: Caller,
  change: (tx: Tx, account: Account) => Promise<SignInChange<T>>,
): Promise<T> {
  const { reply, email } = await db.withoutDojo(async (tx) => {
    await requireLiveSession(tx, caller)
    const account = await requireAccount(tx, caller.id)
    const result = await change(tx, account)
    // The change may be the step that this session has to do first.
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
