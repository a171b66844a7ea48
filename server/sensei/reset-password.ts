import { accountById, changePasswordHash } from '../accounts/accounts.ts'
import { hashPassword, requesterByAccount } from '../accounts/passwords.ts'
import { requireLiveSession, type Sessions } from '../accounts/sessions.ts'
import { audit } from '../audit/audit.ts'
import { type Database, insideDojo } from '../db/database.ts'
import type { Mailer } from '../lib/mail.ts'
import { notFound } from '../lib/refusal.ts'
import type { Caller } from '../http/serve.ts'
import { notify } from '../notifications/notify.ts'

const RESET_NOTIFICATION = {
  title: 'Password reset',
  message: 'The admin team has set a new password for your account. If you did not ask for it, please contact them.',
}

/** Sets a sensei's password, ends their sessions and notifies them, by e-mail as well if there is a mail server. Sends no recovery link,
 *  because the email did not change, and a reset is how a stolen account is returned to its owner. */
export async function resetSenseiPassword(
  db: Database,
  sessions: Sessions,
  mail: Mailer,
  caller: Caller,
  id: string,
  password: string,
): Promise<void> {
  const password_hash = await hashPassword(password, requesterByAccount(caller.id))
  const email = await db.withoutDojo(async (tx) => {
    await requireLiveSession(tx, caller)
    const account = await accountById(tx, id)
    if (account?.role !== 'instructor') throw notFound('Sensei')
    await changePasswordHash(tx, id, password_hash)
    await sessions.endSessionsOfAccount(tx, id)
    await audit(tx, { actor_id: caller.id, dojo_id: account.dojo_id, action: 'sensei password reset', subject_id: id })
    await insideDojo(tx, account.dojo_id!, (dojo) => notify(dojo, account.dojo_id!, [id], RESET_NOTIFICATION))
    return account.email
  })
  mail.send({ to: email, subject: 'Your Tatami password was reset', text: RESET_NOTIFICATION.message })
}
