import type { Account } from '../../accounts/accounts.ts'
import { recoveryEmail, storeRecoveryLink } from '../../accounts/account-recovery.ts'
import { auditAction } from '../../audit/audit.ts'
import { insideDojo, type Tx } from '../../db/database.ts'
import type { Email, Mailer } from '../../lib/mail.ts'
import { ADMIN_INBOX_ID, notify } from '../../notifications/notify.ts'
import { remedy } from '../notify-account-change.ts'

const CHANGES = {
  'passkey added': {
    title: 'Passkey added',
    what: (name: string) => `passkey “${name}” was added to your Tatami account`,
  },
  'passkey removed': {
    title: 'Passkey removed',
    what: (name: string) => `passkey “${name}” was removed from your Tatami account`,
  },
  'authenticator app added': {
    title: 'Authenticator app added',
    what: () => 'authenticator app was turned on for your Tatami account',
  },
  'authenticator app removed': {
    title: 'Authenticator app removed',
    what: () => 'authenticator app was turned off for your Tatami account',
  },
} as const

/** Records the change, notifies the owner and returns a mail with a recovery link to send after the
 *  commit; null without a mail server. */
export async function notifySignInChange(
  tx: Tx,
  { isConfigured: hasMail }: Mailer,
  publicUrl: string,
  account: Account,
  action: keyof typeof CHANGES,
  name = '',
): Promise<Email | null> {
  const { id, dojo_id, role, email } = account
  const { title, what } = CHANGES[action]
  await auditAction(tx, { id, dojoId: dojo_id }, action, { subject_id: id })
  const message = `The ${what(name)}. If this wasn’t you, ${remedy(role, hasMail)}`
  const inbox = dojo_id ?? ADMIN_INBOX_ID
  await insideDojo(tx, inbox, (inboxTx) => notify(inboxTx, inbox, [id], { title, message }))
  const token = hasMail ? await storeRecoveryLink(tx, account) : null
  return token ? recoveryEmail(email, what(name), publicUrl, token) : null
}
