import { and, eq, gt } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { now, nowIso } from '../lib/clock.ts'
import { type Database, insideDojo, type Tx } from '../db/database.ts'
import type { Mailer } from '../lib/mail.ts'
import { Refusal } from '../lib/refusal.ts'
import { newSecret, sha256 } from '../lib/secrets.ts'
import { type Account, findAccountById, changePasswordHash } from './accounts.ts'
import { hasLeft, mayHaveLogin } from './child-logins.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import { refuseCommonPassword, refusePersonalPasswordOfAccount } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { type EndAccess, findSuspectDate } from './suspect-access.ts'
import type { Sessions } from './sessions.ts'
import { accounts, passwordResets } from './tables.ts'

const VALID_MS = 30 * 60_000
/** We send no more links while this many are valid, so that strangers cannot flood an inbox. */
const MAX_VALID_LINKS = 3

/** Does not reveal whether the email has an account. A child without consent gets no link. */
export async function requestPasswordReset(
  db: Database,
  mail: Mailer,
  publicUrl: string,
  email: string,
): Promise<void> {
  const token = newSecret()
  const account = await db.withoutDojo(async (tx) => {
    const lockedAccount = await lockAccountByEmail(tx, email)
    if (!lockedAccount || !(await mayResetPassword(tx, lockedAccount))) return null
    const linkCount = await tx.$count(passwordResets, isValidLinkTo(lockedAccount.id))
    if (linkCount >= MAX_VALID_LINKS) return null
    await storeResetLink(tx, lockedAccount.id, token)
    return lockedAccount
  })
  if (!account) return
  // Browsers do not send a URL fragment to the server, so it never appears in a log.
  const link = `${publicUrl}/reset-password#${token}`
  mail.send({
    to: account.email,
    subject: 'Reset your Tatami password',
    text:
      'Someone asked to reset the password of this Tatami account. If it was you, open ' +
      `this link within 30 minutes:\n\n${link}\n\nIf it wasn’t you, you can ignore this email.`,
  })
}

async function mayResetPassword(tx: Tx, { id, role, dojo_id }: Account): Promise<boolean> {
  if (role !== 'student' || !dojo_id) return true
  return insideDojo(
    tx,
    dojo_id,
    async (dojoTx) => !(await hasLeft(dojoTx, id)) && (await mayHaveLogin(dojoTx, dojo_id, id)),
  )
}

export async function storeResetLink(tx: Tx, account_id: string, token: string): Promise<void> {
  const expires_at = new Date(now().getTime() + VALID_MS).toISOString()
  await tx.insert(passwordResets).values({ token_hash: sha256(token), account_id, expires_at })
}

const isUnexpired = () => gt(passwordResets.expires_at, nowIso())
const isValidLinkTo = (accountId: string) =>
  and(eq(passwordResets.account_id, accountId), isUnexpired())

/** The lock makes concurrent requests count each other's links, and keeps the email unchanged. */
async function lockAccountByEmail(tx: Tx, email: string) {
  const [account] = await tx
    .select()
    .from(accounts)
    .where(eq(accounts.email, email))
    .for('no key update')
  return account
}

/** Also ends any access that a stranger may have gained. Throws 400 for an invalid link. */
export async function choosePassword(
  db: Database,
  sessions: Sessions,
  endAccessSince: EndAccess,
  resetToken: string,
  password: string,
  ipAddress: string,
): Promise<void> {
  await refuseCommonPassword(db, 'new_password', password)
  const password_hash = await hashPassword(password, requesterByAddress(ipAddress))
  await db.withoutDojo(async (tx) => {
    const accountId = await redeemToken(tx, sha256(resetToken))
    await refusePersonalPasswordOfAccount(tx, accountId, 'new_password', password)
    const account = await findAccountById(tx, accountId)
    if (!account) throw invalidLink()
    // If the password must change, a recovery or a super admin's reset has already ended access.
    if (!account.must_change_password)
      await endAccessSince(tx, account, await findSuspectDate(tx, account), 'Password reset')
    await changePasswordHash(tx, accountId, password_hash)
    await sessions.endSessionsOfAccount(tx, accountId, 'password-changed')
    await auditAction(tx, { id: accountId, dojoId: account.dojo_id }, 'password chosen by link', {
      subject_id: accountId,
    })
  })
}

const invalidLink = () =>
  new Refusal(400, 'This link is no longer valid. Please ask for a new one.')

async function redeemToken(tx: Tx, token_hash: string): Promise<string> {
  const [resetLink] = await tx
    .delete(passwordResets)
    .where(and(eq(passwordResets.token_hash, token_hash), isUnexpired()))
    .returning()
  if (!resetLink) throw invalidLink()
  return resetLink.account_id
}
