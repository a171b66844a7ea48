import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, eq, gt, gte } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { now, nowIso } from '../lib/clock.ts'
import { type Database, insideDojo, type Tx } from '../db/database.ts'
import type { Mailer } from '../lib/mail.ts'
import { Refusal } from '../lib/refusal.ts'
import { newSecret, sha256 } from '../lib/secrets.ts'
import { type Account, requireAccount, changeEmail, changePasswordHash } from './accounts.ts'
import { storeResetLink } from './password-reset.ts'
import { createUnusableHash } from './passwords.ts'
import { removeSecondFactors } from './second-factor.ts'
import type { Sessions } from './sessions.ts'
import { requireAllowedEmail } from './staff-caller.ts'
import type { EndAccess, NewLogins } from './suspect-access.ts'
import { accountRecoveries, accounts } from './tables.ts'

const VALID_DAYS = 7
const MINUTE_MS = 60_000
/** Limits the emails about repeated changes. A link also undoes all later changes. */
const MAX_VALID_LINKS = 10

/** Returns a token, or null if the address already has too many valid links. */
export async function storeRecoveryLink(tx: Tx, { id, email }: Account): Promise<string | null> {
  const linksToAddress = and(
    eq(accountRecoveries.account_id, id),
    eq(accountRecoveries.email, email),
    isUnexpired(),
  )
  const linkCount = await tx.$count(accountRecoveries, linksToAddress)
  if (linkCount >= MAX_VALID_LINKS) return null
  const token = newSecret()
  const expires_at = new Date(now().getTime() + VALID_DAYS * DAY_MS).toISOString()
  await tx
    .insert(accountRecoveries)
    .values({ token_hash: sha256(token), account_id: id, email, expires_at })
  return token
}

/** `changeDescription` is, for example, "password of your Tatami account was changed". */
export function buildRecoveryEmail(
  recipient: string,
  changeDescription: string,
  publicUrl: string,
  token: string,
) {
  // Browsers do not send a URL fragment to the server, so it never appears in a log.
  const link = `${publicUrl}/recover-account#${token}`
  const consequences =
    'This restores your email address and logs everyone out. Your current password stops ' +
    'working, and everything added since is removed: passkeys, authenticator apps, kiosks, links ' +
    'and calendar addresses. Then you choose a new password.'
  return {
    to: recipient,
    subject: `The ${changeDescription}`,
    text: `The ${changeDescription}. If this was you, you can ignore this email.

If it wasn’t you, open this link within ${VALID_DAYS} days to recover your account:

${link}

${consequences}`,
  }
}

type RecoveredAccount = {
  email: string
  reset_token: string
  guardian_log_ins: string[]
  student_log_ins: string[]
}

/** Undoes the change and all later ones: restores the email, makes the password unusable, and ends
 *  newer second factors, sessions and links. A `replacementEmail` is needed if the old email now
 *  belongs to another account. The reset token then lets the person choose a new password. */
export async function recoverAccount(
  db: Database,
  sessions: Sessions,
  mail: Mailer,
  endAccessSince: EndAccess,
  recoveryToken: string,
  replacementEmail?: string | null,
): Promise<RecoveredAccount> {
  const reset_token = newSecret()
  const { account, email, newLogins } = await db.withoutDojo(async (tx) => {
    const link = await redeemLink(tx, sha256(recoveryToken))
    const recoveredAccount = await requireAccount(tx, link.account_id)
    const restoredEmail = replacementEmail ?? link.email
    const { id, dojo_id } = recoveredAccount
    if (dojo_id !== null)
      await insideDojo(tx, dojo_id, (dojoTx) => requireAllowedEmail(dojoTx, id, restoredEmail))
    if (restoredEmail !== recoveredAccount.email)
      await changeEmail(tx, recoveredAccount.id, restoredEmail)
    await changePasswordHash(tx, recoveredAccount.id, createUnusableHash(), { mustChange: true })
    await removeSecondFactors(tx, recoveredAccount.id, getTimeBeforeChange(link))
    await sessions.endSessionsOfAccount(tx, recoveredAccount.id, 'password-changed')
    const logins: NewLogins = await endAccessSince(
      tx,
      recoveredAccount,
      getTimeBeforeChange(link),
      'Account recovered',
    )
    await storeResetLink(tx, recoveredAccount.id, reset_token)
    const actor = { id: recoveredAccount.id, dojoId: recoveredAccount.dojo_id }
    await auditAction(tx, actor, 'account taken back', { subject_id: actor.id })
    return { account: recoveredAccount, email: restoredEmail, newLogins: logins }
  })
  if (account.email !== email)
    mail.send({
      to: account.email,
      subject: 'The email of your Tatami account was changed back',
      text:
        'Someone used the link that we sent to the previous email address of this Tatami ' +
        'account. The account uses that address again, and you can no longer log in with this one.',
    })
  return {
    email,
    reset_token,
    guardian_log_ins: newLogins.guardians,
    student_log_ins: newLogins.students,
  }
}

/** The link was stored together with the change. A minute earlier is safely before both. */
const getTimeBeforeChange = ({ expires_at }: { expires_at: string }) =>
  new Date(Date.parse(expires_at) - VALID_DAYS * DAY_MS - MINUTE_MS).toISOString()

const isUnexpired = () => gt(accountRecoveries.expires_at, nowIso())

/** Also deletes later links. Locks the account, so that two links cannot be used at the same
 *  time. */
async function redeemLink(tx: Tx, token_hash: string) {
  const matchesToken = and(eq(accountRecoveries.token_hash, token_hash), isUnexpired())
  const [unlockedLink] = await tx.select().from(accountRecoveries).where(matchesToken)
  if (unlockedLink)
    await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.id, unlockedLink.account_id))
      .for('update')
  // A concurrent call may have used the link before this one got the lock.
  const [link] = await tx.delete(accountRecoveries).where(matchesToken).returning()
  if (!link) throw new Refusal(400, 'This link is no longer valid. It works once, for 7 days.')
  await tx
    .delete(accountRecoveries)
    .where(
      and(
        eq(accountRecoveries.account_id, link.account_id),
        gte(accountRecoveries.number, link.number),
      ),
    )
  return link
}
