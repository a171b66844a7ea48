import type { Credentials, SignInStep } from '@tatami/contract/accounts/accounts'
import type { PasskeyResponse } from '@tatami/contract/accounts/sign-in'
import { and, eq } from 'drizzle-orm'
import { nowIso } from '../lib/clock.ts'
import { type Database, insideDojo, type Tx } from '../db/database.ts'
import { type FairQueue, requesterByAddress } from '../http/fair-queue.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Account, accountByEmail, requireActiveDojo } from './accounts.ts'
import {
  clearFailures,
  countGuess,
  findUsedAddress,
  lockAttempts,
  recordFailure,
  refusalOfFailures,
  requireFewFailures,
  requireFewGuesses,
  type SignInAttempt,
  signInAttempt,
} from './sign-in-throttle.ts'
import { mayHaveLogIn } from './child-log-ins.ts'
import { accountOfPasskey, type RelyingParty } from './passkeys.ts'
import { isPassword, requesterByAccount } from './passwords.ts'
import { missingSecondFactor } from './second-factor.ts'
import { firstStep, openSession, type Origin } from './sessions.ts'
import { accounts, signInAddresses } from './tables.ts'

const AWAITING_ACTIVATION = 'Your account is awaiting activation by the admin team.'
const LOG_IN_CLOSED =
  'This login was closed. Use your parent’s or guardian’s, or ask your instructor to reopen it.'
const CONSENT_MISSING =
  'A parent or guardian has to agree before you can log in. Please ask your instructor.'
const NO_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000'

type AddressedAttempt = SignInAttempt & { address: string }
/** Tells the owner that their password is being guessed. Returns work to do after the commit. */
type ReportGuesses = (tx: Tx, account: Account) => Promise<() => void>
/** `step` is what the session begins with. */
export type SignedIn = { token: string; account: Account; step: SignInStep | null }

/** Answers a wrong email and a wrong password alike. After `maxFailures` failures only the right
 *  password from a known address is accepted; after a hundred wrong ones a day from there the owner
 *  is told. With the right password, an inactive account gets the reason, and one with a second
 *  factor is asked for a code (422). */
export async function signIn(
  { db, anonymousQueue }: { db: Database; anonymousQueue: FairQueue },
  { email, password, code }: Credentials,
  origin: Origin,
  maxFailures: number,
  reportGuesses: ReportGuesses,
): Promise<SignedIn> {
  const { address } = origin
  const attempt: AddressedAttempt = { ...signInAttempt(email, maxFailures), address }
  let finishReport = () => {}
  const { found, isKnown } = await anonymousQueue(requesterByAddress(address), () =>
    db.withoutDojo((tx) => findAccount(tx, email, attempt)),
  )
  const requester = found && isKnown ? requesterByAccount(found.id) : requesterByAddress(address)
  const right = await isPassword(password, found?.password_hash ?? null, requester)
  const session = await db.withoutDojo(async (tx) => {
    await lockAttempts(tx, attempt)
    const account = right ? await lockUnchangedAccount(tx, found!) : null
    const usedAddress = found ? await findUsedAddress(tx, found.id, address) : undefined
    requireFewGuesses(usedAddress)
    if (found && !account && usedAddress && (await countGuess(tx, usedAddress)))
      finishReport = await reportGuesses(tx, found)
    const tooMany = await refusalOfFailures(tx, attempt)
    if (tooMany && !(account && usedAddress)) return tooMany
    if (!account) return recordFailure(tx, attempt)
    await refuseInactive(tx, account)
    const refusal = await missingSecondFactor(tx, account, code, maxFailures)
    if (refusal) return refusal
    await clearFailures(tx, attempt)
    return openAccountSession(tx, account, origin)
  })
  finishReport()
  if (session instanceof Refusal) throw session
  if (!session) throw new Refusal(401, 'Incorrect email or password')
  return session
}

/** Reads and locks the account: it may have changed during hashing. */
async function lockUnchangedAccount(
  tx: Tx,
  { id, password_hash }: Account,
): Promise<Account | null> {
  const [account] = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), eq(accounts.password_hash, password_hash)))
    .for('share')
  return account ?? null
}

async function openAccountSession(tx: Tx, account: Account, origin: Origin): Promise<SignedIn> {
  await tx
    .insert(signInAddresses)
    .values({ account_id: account.id, address: origin.address, used_at: nowIso() })
    .onConflictDoUpdate({
      target: [signInAddresses.account_id, signInAddresses.address],
      set: { used_at: nowIso() },
    })
  const token = await openSession(tx, account.id, origin)
  return { token, account, step: await firstStep(tx, token) }
}

/** A passkey replaces password and second factor, because the device has checked its user; 401 if
 *  invalid. */
export async function signInByPasskey(
  { db, anonymousQueue }: { db: Database; anonymousQueue: FairQueue },
  party: RelyingParty,
  response: PasskeyResponse,
  origin: Origin,
): Promise<SignedIn> {
  return anonymousQueue(requesterByAddress(origin.address), () =>
    db.withoutDojo(async (tx) => {
      const account = await accountOfPasskey(tx, party, response)
      await refuseInactive(tx, account)
      return openAccountSession(tx, account, origin)
    }),
  )
}

/** An attempt from a known address has priority and is not locked out by others' failures. */
async function findAccount(tx: Tx, email: string, attempt: AddressedAttempt) {
  const account = await accountByEmail(tx, email)
  // Also queried without an account, so that the response takes the same time.
  const usedAddress = await findUsedAddress(tx, account?.id ?? NO_ACCOUNT_ID, attempt.address)
  requireFewGuesses(usedAddress)
  const isKnown = usedAddress !== undefined
  await requireFewFailures(tx, attempt, isKnown)
  return { found: account, isKnown }
}

/** 403 with the reason if the account may not sign in. */
async function refuseInactive(tx: Tx, account: Account) {
  const isInstructor = account.role === 'instructor'
  if (!account.is_active) throw new Refusal(403, isInstructor ? AWAITING_ACTIVATION : LOG_IN_CLOSED)
  const { dojo_id } = account
  if (!dojo_id || isInstructor) return
  await requireActiveDojo(tx, dojo_id)
  if (account.role !== 'student') return
  const isAllowed = await insideDojo(tx, dojo_id, (dojoTx) =>
    mayHaveLogIn(dojoTx, dojo_id, account.id),
  )
  if (!isAllowed) throw new Refusal(403, CONSENT_MISSING)
}
