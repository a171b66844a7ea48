import { createHash } from 'node:crypto'
import type { Credentials } from '@tatami/contract/accounts'
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { now, nowIso } from '../kernel/clock.ts'
import type { Database, Tx } from '../kernel/database.ts'
import { newId } from '../kernel/columns.ts'
import { Refusal } from '../kernel/refusal.ts'
import { type Account, accountByEmail, requireActiveDojo } from './accounts.ts'
import { isPassword } from './passwords.ts'
import { openSession } from './sessions.ts'
import { accounts, signInAddresses, signInFailures } from './tables.ts'

/** Failures are counted over this long (product.md, section 2). */
const WINDOW_MS = 15 * 60_000

type Try = { emailHash: string; address: string; maxFailures: number }

/**
 * One answer for a wrong e-mail and a wrong password. After `maxFailures` failures only the right password gets in, and only
 * from an address that the account has signed in from before. An account that may not sign in is told why when the password is right.
 */
export async function signIn(
  db: Database,
  { email, password }: Credentials,
  address: string,
  maxFailures: number,
): Promise<{ token: string; account: Account }> {
  const tried: Try = { emailHash: createHash('sha256').update(email).digest('base64url'), address, maxFailures }
  const found = await db.withoutDojo(async (tx) => {
    const account = await accountByEmail(tx, email)
    await refuseGuessing(tx, tried, account)
    return account
  })
  const right = await isPassword(password, found?.password_hash ?? null)
  const opened = await db.withoutDojo(async (tx) => {
    await settleOneByOne(tx, tried)
    const account = right ? await asItIsNow(tx, found!) : null
    await refuseGuessing(tx, tried, account)
    return account ? { token: await open(tx, tried, account), account } : rememberFailure(tx, tried)
  })
  if (!opened) throw new Refusal(401, 'Incorrect email or password')
  return opened
}

/** On all servers: guesses in flight at the same time must not add up, and none beyond the last may learn whether it was right. */
const settleOneByOne = (tx: Tx, { emailHash }: Try) => tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${emailHash}, 0))`)

/** Hashing took its time: the account may have been deleted, deactivated or given another password. It stays as it is until the session is open. */
async function asItIsNow(tx: Tx, { id, password_hash }: Account): Promise<Account | null> {
  const [account] = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), eq(accounts.password_hash, password_hash)))
    .for('share')
  return account ?? null
}

async function open(tx: Tx, { emailHash, address }: Try, account: Account): Promise<string> {
  await refuseInactive(tx, account)
  await tx.delete(signInFailures).where(eq(signInFailures.email_hash, emailHash))
  await tx
    .insert(signInAddresses)
    .values({ account_id: account.id, address, used_at: nowIso() })
    .onConflictDoUpdate({ target: [signInAddresses.account_id, signInAddresses.address], set: { used_at: nowIso() } })
  return openSession(tx, account.id)
}

const windowStart = () => new Date(now().getTime() - WINDOW_MS).toISOString()

async function refuseGuessing(tx: Tx, { emailHash, address, maxFailures }: Try, account: Account | null) {
  const failures = await tx
    .select({ at: signInFailures.failed_at })
    .from(signInFailures)
    .where(and(eq(signInFailures.email_hash, emailHash), gt(signInFailures.failed_at, windowStart())))
    .orderBy(desc(signInFailures.failed_at))
    .limit(maxFailures)
  const oldest = failures[maxFailures - 1]
  if (!oldest || (account && (await isKnownAddress(tx, account.id, address)))) return
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(oldest.at) + WINDOW_MS - now().getTime()) / 1000))
  throw new Refusal(429, 'Too many failed sign-ins. Please try again later.', { retryAfterSeconds })
}

async function isKnownAddress(tx: Tx, accountId: string, address: string): Promise<boolean> {
  const [known] = await tx
    .select({ at: signInAddresses.used_at })
    .from(signInAddresses)
    .where(and(eq(signInAddresses.account_id, accountId), eq(signInAddresses.address, address)))
  return known !== undefined
}

async function rememberFailure(tx: Tx, { emailHash }: Try): Promise<null> {
  await tx.insert(signInFailures).values({ id: newId(), email_hash: emailHash, failed_at: nowIso() })
  await tx.delete(signInFailures).where(lt(signInFailures.failed_at, windowStart()))
  return null
}

async function refuseInactive(tx: Tx, account: Account) {
  if (!account.is_active) throw new Refusal(403, 'Your account is awaiting activation by the admin team.')
  if (account.role === 'student') await requireActiveDojo(tx, account.dojo_id!)
}
