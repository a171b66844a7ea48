import type { PasswordReset } from '@tatami/contract/sensei/sensei'
import { changePasswordHash } from '../accounts/accounts.ts'
import {
  refuseCommonPassword,
  refusePersonalPasswordOfAccount,
} from '../accounts/password-rules.ts'
import { hashPassword, requesterByAccount } from '../accounts/passwords.ts'
import { removeSecondFactors } from '../accounts/second-factor.ts'
import { requireLiveSession, type Sessions } from '../accounts/sessions.ts'
import { type EndAccess, findSuspectDate } from '../accounts/suspect-access.ts'
import { auditAction } from '../audit/audit.ts'
import { type Database, insideDojo } from '../db/database.ts'
import type { Mailer } from '../lib/mail.ts'
import type { Caller } from '../http/serve.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { notify } from '../notifications/notify.ts'
import { requireSensei } from './sensei.ts'

const RESET_NOTIFICATION = {
  title: 'Password reset',
  message:
    'The admin team has set a new password for your account. If you did not ask for it, ' +
    'please contact them.',
}

type Services = { sessions: Sessions; mail: Mailer; endAccessSince: EndAccess }

/** Ends all access that a stranger may have gained. There is no recovery link, because the email
 *  does not change, and because a reset gives a stolen account back to its owner. */
export async function resetSenseiPassword(
  db: Database,
  { sessions, mail, endAccessSince }: Services,
  caller: Caller,
  id: string,
  { new_password: password, remove_second_factor = false }: PasswordReset,
): Promise<void> {
  await refuseCommonPassword(db, 'new_password', password)
  const password_hash = await hashPassword(password, requesterByAccount(caller.id))
  const email = await db.withoutDojo(async (tx) => {
    await requireLiveSession(tx, caller)
    const account = await requireSensei(tx, id)
    await refusePersonalPasswordOfAccount(tx, id, 'new_password', password)
    await changePasswordHash(tx, id, password_hash, { mustChange: true })
    if (remove_second_factor) await removeSecondFactors(tx, id)
    await sessions.endSessionsOfAccount(tx, id, 'password-reset')
    await endAccessSince(tx, account, await findSuspectDate(tx, account), 'Password reset')
    const dojoId = mustExist(account.dojo_id, 'The dojo')
    const actor = { id: caller.id, dojoId }
    await auditAction(tx, actor, 'sensei password reset', { subject_id: id })
    if (remove_second_factor)
      await auditAction(tx, actor, 'second factor removed', { subject_id: id })
    await insideDojo(tx, dojoId, (dojo) => notify(dojo, dojoId, [id], RESET_NOTIFICATION))
    return account.email
  })
  mail.send({
    to: email,
    subject: 'Your Tatami password was reset',
    text: RESET_NOTIFICATION.message,
  })
}
