import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { now, nowIso } from '../lib/clock.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { findAccountById } from './accounts.ts'
import { isCorrectPassword, requesterByAccount } from './passwords.ts'
import { signInAddresses, signInFailures } from './tables.ts'

const WINDOW_MS = 15 * 60_000

/** Failures are counted per email, whether or not it has an account. Only its hash is stored. */
export type SignInAttempt = { emailHash: string; maxFailures: number }

export const createSignInAttempt = (email: string, maxFailures: number): SignInAttempt => ({
  emailHash: sha256(email),
  maxFailures,
})

/** Makes concurrent attempts for an email wait for each other, on all servers. Otherwise, together
 *  they could exceed the limit. */
export const lockAttempts = (tx: Tx, { emailHash }: SignInAttempt) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${emailHash}, 0))`)

const getWindowStart = () => new Date(now().getTime() - WINDOW_MS).toISOString()

function tooManyFailures(firstFailure: string, windowMs: number, advice: string): Refusal {
  const remainingMs = Date.parse(firstFailure) + windowMs - now().getTime()
  const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1000))
  return new Refusal(429, `Too many failed logins. ${advice}`, { retryAfterSeconds })
}

/** Throws 429 after `maxFailures` failures unless the attempt is trusted. */
export async function refuseAfterTooManyFailures(
  tx: Tx,
  attempt: SignInAttempt,
  isTrusted = false,
) {
  const refusal = await findFailureRefusal(tx, attempt)
  if (refusal && !isTrusted) throw refusal
}

export async function findFailureRefusal(
  tx: Tx,
  { emailHash, maxFailures }: SignInAttempt,
): Promise<Refusal | null> {
  const failures = await tx
    .select({ at: signInFailures.failed_at })
    .from(signInFailures)
    .where(
      and(eq(signInFailures.email_hash, emailHash), gt(signInFailures.failed_at, getWindowStart())),
    )
    .orderBy(desc(signInFailures.failed_at))
    .limit(maxFailures)
  const firstFailure = failures[maxFailures - 1]
  return firstFailure
    ? tooManyFailures(firstFailure.at, WINDOW_MS, 'Please try again later.')
    : null
}

/** How many wrong passwords a known address may send in a day. An address is known if somebody has
 *  signed in to the account from it. */
export const MAX_GUESSES_PER_DAY = 100

type KnownAddress = typeof signInAddresses.$inferSelect

export async function findKnownAddress(
  tx: Tx,
  accountId: string,
  address: string,
): Promise<KnownAddress | undefined> {
  const [row] = await tx.select().from(signInAddresses).where(isSignInAddress(accountId, address))
  return row
}

const isSignInAddress = (accountId: string, address: string) =>
  and(eq(signInAddresses.account_id, accountId), eq(signInAddresses.address, address))

const countGuesses = ({ failures, failures_since }: KnownAddress): number =>
  failures_since !== null && Date.parse(failures_since) > now().getTime() - DAY_MS ? failures : 0

/** Throws 429 if the known address is locked. Other addresses still work. */
export function refuseAfterTooManyGuesses(knownAddress: KnownAddress | undefined): void {
  if (knownAddress?.failures_since && countGuesses(knownAddress) >= MAX_GUESSES_PER_DAY)
    throw tooManyFailures(
      knownAddress.failures_since,
      DAY_MS,
      'Please try again tomorrow, or reset your password.',
    )
}

/** Counts a wrong password from a known address. Returns true if that locks the address. */
export async function recordGuess(tx: Tx, knownAddress: KnownAddress): Promise<boolean> {
  const guesses = countGuesses(knownAddress)
  await tx
    .update(signInAddresses)
    .set({
      failures: guesses + 1,
      failures_since: guesses === 0 ? nowIso() : knownAddress.failures_since,
    })
    .where(isSignInAddress(knownAddress.account_id, knownAddress.address))
  return guesses + 1 === MAX_GUESSES_PER_DAY
}

export async function recordFailure(tx: Tx, { emailHash }: SignInAttempt): Promise<void> {
  await tx
    .insert(signInFailures)
    .values({ id: newId(), email_hash: emailHash, failed_at: nowIso() })
  await tx.delete(signInFailures).where(lt(signInFailures.failed_at, getWindowStart()))
}

export const clearFailures = (tx: Tx, { emailHash }: SignInAttempt) =>
  tx.delete(signInFailures).where(eq(signInFailures.email_hash, emailHash))

/** A wrong password counts as a failed sign-in. The limit applies to known addresses too, because
 *  the caller's token may be stolen. */
export async function confirmPassword(
  db: Database,
  accountId: string,
  password: string,
  maxFailures: number,
): Promise<boolean> {
  const account = await db.withoutDojo((tx) => findAccountById(tx, accountId))
  if (!account) return false
  const attempt = createSignInAttempt(account.email, maxFailures)
  await db.withoutDojo((tx) => refuseAfterTooManyFailures(tx, attempt))
  const isValid = await isCorrectPassword(
    password,
    account.password_hash,
    requesterByAccount(account.id),
  )
  await db.withoutDojo(async (tx) => {
    await lockAttempts(tx, attempt)
    await refuseAfterTooManyFailures(tx, attempt)
    if (!isValid) await recordFailure(tx, attempt)
  })
  return isValid
}
