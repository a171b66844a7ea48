import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { now, nowIso } from '../lib/clock.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { accountById } from './accounts.ts'
import { isPassword, requesterByAccount } from './passwords.ts'
import { signInFailures } from './tables.ts'

/** Failures are counted over this window (product.md, section 2). */
const WINDOW_MS = 15 * 60_000

/** Failures are counted per e-mail address, whether or not it has an account. Only its hash is stored. */
export type SignInAttempt = { emailHash: string; maxFailures: number }

export const signInAttempt = (email: string, maxFailures: number): SignInAttempt => ({
  emailHash: sha256(email),
  maxFailures,
})

/** Serialises attempts for an e-mail on all servers, so that concurrent attempts cannot exceed the limit and learn whether they were right. */
export const lockAttempts = (tx: Tx, { emailHash }: SignInAttempt) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${emailHash}, 0))`)

const windowStart = () => new Date(now().getTime() - WINDOW_MS).toISOString()

/** Refuses with 429 after `maxFailures` failures, unless `isTrusted` resolves to true. */
export async function requireFewFailures(
  tx: Tx,
  { emailHash, maxFailures }: SignInAttempt,
  isTrusted = () => Promise.resolve(false),
) {
  const failures = await tx
    .select({ at: signInFailures.failed_at })
    .from(signInFailures)
    .where(
      and(eq(signInFailures.email_hash, emailHash), gt(signInFailures.failed_at, windowStart())),
    )
    .orderBy(desc(signInFailures.failed_at))
    .limit(maxFailures)
  const oldest = failures[maxFailures - 1]
  if (!oldest || (await isTrusted())) return
  const retryAfterSeconds = Math.max(
    1,
    Math.ceil((Date.parse(oldest.at) + WINDOW_MS - now().getTime()) / 1000),
  )
  throw new Refusal(429, 'Too many failed sign-ins. Please try again later.', { retryAfterSeconds })
}

export async function recordFailure(tx: Tx, { emailHash }: SignInAttempt): Promise<null> {
  await tx
    .insert(signInFailures)
    .values({ id: newId(), email_hash: emailHash, failed_at: nowIso() })
  await tx.delete(signInFailures).where(lt(signInFailures.failed_at, windowStart()))
  return null
}

export const clearFailures = (tx: Tx, { emailHash }: SignInAttempt) =>
  tx.delete(signInFailures).where(eq(signInFailures.email_hash, emailHash))

/** Whether the password of a signed-in account is right. A wrong one counts as a failed sign-in, and no address is trusted, because a
 *  stolen token may be used from its owner's address. */
export async function confirmPassword(
  db: Database,
  accountId: string,
  password: string,
  maxFailures: number,
): Promise<boolean> {
  const account = await db.withoutDojo((tx) => accountById(tx, accountId))
  if (!account) return false
  const attempt = signInAttempt(account.email, maxFailures)
  await db.withoutDojo((tx) => requireFewFailures(tx, attempt))
  const isRight = await isPassword(password, account.password_hash, requesterByAccount(account.id))
  await db.withoutDojo(async (tx) => {
    await lockAttempts(tx, attempt)
    await requireFewFailures(tx, attempt)
    if (!isRight) await recordFailure(tx, attempt)
  })
  return isRight
}
