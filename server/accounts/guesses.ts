import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { now, nowIso } from '../lib/clock.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { accountById } from './accounts.ts'
import { isPassword, turnOfAccount } from './passwords.ts'
import { signInFailures } from './tables.ts'

/** Failures are counted over this long (product.md, section 2). */
const WINDOW_MS = 15 * 60_000

/** Failures count for an e-mail, of which only the hash is kept, whether or not it has an account. */
export type Guess = { emailHash: string; maxFailures: number }

export const guessAt = (email: string, maxFailures: number): Guess => ({
  emailHash: sha256(email),
  maxFailures,
})

/** On all servers: guesses in flight at the same time must not add up, and none beyond the last may learn whether it was right. */
export const settleOneByOne = (tx: Tx, { emailHash }: Guess) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${emailHash}, 0))`)

const windowStart = () => new Date(now().getTime() - WINDOW_MS).toISOString()

/** 429 after `maxFailures` failures, except for whoever `isTrusted` lets through. */
export async function refuseGuessing(tx: Tx, { emailHash, maxFailures }: Guess, isTrusted = () => Promise.resolve(false)) {
  const failures = await tx
    .select({ at: signInFailures.failed_at })
    .from(signInFailures)
    .where(and(eq(signInFailures.email_hash, emailHash), gt(signInFailures.failed_at, windowStart())))
    .orderBy(desc(signInFailures.failed_at))
    .limit(maxFailures)
  const oldest = failures[maxFailures - 1]
  if (!oldest || (await isTrusted())) return
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(oldest.at) + WINDOW_MS - now().getTime()) / 1000))
  throw new Refusal(429, 'Too many failed sign-ins. Please try again later.', { retryAfterSeconds })
}

export async function rememberFailure(tx: Tx, { emailHash }: Guess): Promise<null> {
  await tx.insert(signInFailures).values({ id: newId(), email_hash: emailHash, failed_at: nowIso() })
  await tx.delete(signInFailures).where(lt(signInFailures.failed_at, windowStart()))
  return null
}

export const forgetFailures = (tx: Tx, { emailHash }: Guess) => tx.delete(signInFailures).where(eq(signInFailures.email_hash, emailHash))

/** Whether somebody signed in knows the password as well: a wrong one counts as a failed sign-in, and no address is trusted, because
 *  a stolen token may come from where its owner sits. */
export async function knowsPassword(db: Database, accountId: string, password: string, maxFailures: number): Promise<boolean> {
  const account = await db.withoutDojo((tx) => accountById(tx, accountId))
  if (!account) return false
  const guess = guessAt(account.email, maxFailures)
  await db.withoutDojo((tx) => refuseGuessing(tx, guess))
  const isRight = await isPassword(password, account.password_hash, turnOfAccount(account.id))
  await db.withoutDojo(async (tx) => {
    await settleOneByOne(tx, guess)
    await refuseGuessing(tx, guess)
    if (!isRight) await rememberFailure(tx, guess)
  })
  return isRight
}
