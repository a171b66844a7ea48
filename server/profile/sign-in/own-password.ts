import { findAccountById, changePasswordHash } from '../../accounts/accounts.ts'
import {
  refuseCommonPassword,
  refusePersonalPasswordOfAccount,
} from '../../accounts/password-rules.ts'
import { hashPassword, isCorrectPassword, requesterByAccount } from '../../accounts/passwords.ts'
import { requireLiveSession, type Sessions } from '../../accounts/sessions.ts'
import { auditAction } from '../../audit/audit.ts'
import type { Database } from '../../db/database.ts'
import type { Caller } from '../../http/serve.ts'
import { invalid, Refusal } from '../../lib/refusal.ts'

const FIELD = 'new_password'
const ALREADY_CHOSEN = 'You have already chosen your own password. You can change it in Settings.'

/** Replaces a password that somebody else set. Throws 409 if it has already been replaced, and 422
 *  if the new password is the same. */
export async function chooseOwnPassword(
  db: Database,
  sessions: Sessions,
  caller: Caller,
  password: string,
): Promise<void> {
  const account = await db.withoutDojo((tx) => findAccountById(tx, caller.id))
  if (!account?.must_change_password) throw new Refusal(409, ALREADY_CHOSEN)
  await refuseCommonPassword(db, FIELD, password)
  if (await isCorrectPassword(password, account.password_hash, requesterByAccount(caller.id)))
    throw invalid(
      FIELD,
      'This is the password that was set for you. Choose one that nobody else knows.',
    )
  const password_hash = await hashPassword(password, requesterByAccount(caller.id))
  await db.withoutDojo(async (tx) => {
    await requireLiveSession(tx, caller)
    await refusePersonalPasswordOfAccount(tx, caller.id, FIELD, password)
    const currentAccount = await findAccountById(tx, caller.id, 'share')
    if (!currentAccount?.must_change_password) throw new Refusal(409, ALREADY_CHOSEN)
    await changePasswordHash(tx, caller.id, password_hash)
    await sessions.endOtherSessions(tx, caller, 'password-changed')
    await sessions.publishAccountChange(tx, caller.id)
    await auditAction(tx, caller, 'own password chosen', { subject_id: caller.id })
  })
}
