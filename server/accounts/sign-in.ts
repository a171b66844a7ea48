import { createHash } from 'node:crypto'
import type { Credentials } from '@tatami/contract/accounts'
import { and, desc, eq, gt, lt } from 'drizzle-orm'
import { now, nowIso } from '../kernel/clock.ts'
import type { Database, Tx } from '../kernel/database.ts'
import { newId } from '../kernel/columns.ts'
import { Refusal } from '../kernel/refusal.ts'
import { type Account, accountByEmail, isDojoActive } from './accounts.ts'
import { isPassword } from './passwords.ts'
import { openSession } from './sessions.ts'
import { signInAddresses, signInFailures } from './tables.ts'

/** Failures are counted over this long (product.md, section 2). */
const WINDOW_MS = 15 * 60_000

/**
 * One answer for a wrong e-mail and a wrong password. After `maxFailures` failures only an address that the account
 * has signed in from before gets in; the right password of an account that may not sign in is told why.
 */
export async function signIn(db: Database, { email, password }: Credentials, address: string, maxFailures: number): Promise<{ token: string; account: Account }> {
  const emailHash = createHash('sha256').update(email).digest('base64url')
  const account = await db.withoutDojo(async (tx) => {
    const found = await accountByEmail(tx, email)
    await refuseGuessing(tx, emailHash, found, address, maxFailures)
    return found
  })
  const right = await isPassword(password, account?.password_hash ?? null)
  if (!account || !right) {
    await db.withoutDojo((tx) => rememberFailure(tx, emailHash))
    throw new Refusal(401, 'Incorrect email or password')
  }
  return db.withoutDojo(async (tx) => {
    // Once more: guesses in flight at the same time must not add up.
    await refuseGuessing(tx, emailHash, account, address, maxFailures)
    await refuseInactive(tx, account)
    await tx.delete(signInFailures).where(eq(signInFailures.email_hash, emailHash))
    await tx.insert(signInAddresses).values({ account_id: account.id, address, used_at: nowIso() })
      .onConflictDoUpdate({ target: [signInAddresses.account_id, signInAddresses.address], set: { used_at: nowIso() } })
    return { token: await openSession(tx, account.id), account }
  })
}

const windowStart = () => new Date(now().getTime() - WINDOW_MS).toISOString()

async function refuseGuessing(tx: Tx, emailHash: string, account: Account | null, address: string, maxFailures: number) {
  const failures = await tx.select({ at: signInFailures.failed_at }).from(signInFailures)
    .where(and(eq(signInFailures.email_hash, emailHash), gt(signInFailures.failed_at, windowStart())))
    .orderBy(desc(signInFailures.failed_at)).limit(maxFailures)
  const oldest = failures[maxFailures - 1]
  if (!oldest || (account && await isKnownAddress(tx, account.id, address))) return
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(oldest.at) + WINDOW_MS - now().getTime()) / 1000))
  throw new Refusal(429, 'Too many failed sign-ins. Please try again later.', { retryAfterSeconds })
}

async function isKnownAddress(tx: Tx, accountId: string, address: string): Promise<boolean> {
  const [known] = await tx.select({ at: signInAddresses.used_at }).from(signInAddresses)
    .where(and(eq(signInAddresses.account_id, accountId), eq(signInAddresses.address, address)))
  return known !== undefined
}

async function rememberFailure(tx: Tx, emailHash: string) {
  await tx.insert(signInFailures).values({ id: newId(), email_hash: emailHash, failed_at: nowIso() })
  await tx.delete(signInFailures).where(lt(signInFailures.failed_at, windowStart()))
}

async function refuseInactive(tx: Tx, account: Account) {
  if (!account.is_active) throw new Refusal(403, 'Your account is awaiting activation by the admin team.')
  if (account.role === 'student' && !await isDojoActive(tx, account.dojo_id!)) throw new Refusal(403, 'Your dojo is not active. Please contact your instructor.')
}
