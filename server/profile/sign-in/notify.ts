import type { Account } from '../../accounts/accounts.ts'
import { buildRecoveryEmail, storeRecoveryLink } from '../../accounts/account-recovery.ts'
import { auditAction } from '../../audit/audit.ts'
import { insideDojo, type Tx } from '../../db/database.ts'
import type { Email, Mailer } from '../../lib/mail.ts'
import { ADMIN_INBOX_ID, notify } from '../../notifications/notify.ts'
import { adviceAfterChange } from '../notify-account-change.ts'

const SIGN_IN_CHANGES = {
  'passkey added': {
    title: 'Passkey added',
    describeChange: (name: string) => `passkey “${name}” was added to your Tatami account`,
  },
  'passkey removed': {
    title: 'Passkey removed',
    describeChange: (name: string) => `passkey “${name}” was removed from your Tatami account`,
  },
  'authenticator app added': {
    title: 'Authenticator app added',
    describeChange: () => 'authenticator app was turned on for your Tatami account',
  },
  'authenticator app removed': {
    title: 'Authenticator app removed',
    describeChange: () => 'authenticator app was turned off for your Tatami account',
  },
} as const
export type SignInAction = keyof typeof SIGN_IN_CHANGES

/** Returns a mail with a recovery link, to send after the commit. Null without a mail server. */
export async function notifySignInChange(
  tx: Tx,
  { isConfigured: hasMail }: Mailer,
  publicUrl: string,
  account: Account,
  action: SignInAction,
  name = '',
): Promise<Email | null> {
  const { id, dojo_id, role, email } = account
  const { title, describeChange } = SIGN_IN_CHANGES[action]
  await auditAction(tx, { id, dojoId: dojo_id }, action, { subject_id: id })
  const advice = adviceAfterChange(role, hasMail)
  const message = `The ${describeChange(name)}. If this wasn’t you, ${advice}`
  const inbox = dojo_id ?? ADMIN_INBOX_ID
  await insideDojo(tx, inbox, (inboxTx) => notify(inboxTx, inbox, [id], { title, message }))
  const token = hasMail ? await storeRecoveryLink(tx, account) : null
  return token ? buildRecoveryEmail(email, describeChange(name), publicUrl, token) : null
}
