import type { Credentials, SignInStep } from '@tatami/contract/accounts/accounts'
import type { PasskeyResponse } from '@tatami/contract/accounts/sign-in'
import { and, eq } from 'drizzle-orm'
import { nowIso } from '../lib/clock.ts'
import { type Database, insideDojo, type Tx } from '../db/database.ts'
import { type FairQueue, requesterByAddress } from '../http/fair-queue.ts'
import { formatDay } from '../lib/format-day.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Account, findAccountByEmail, requireActiveDojo } from './accounts.ts'
import {
  clearFailures,
  recordGuess,
  findKnownAddress,
  lockAttempts,
  recordFailure,
  findFailureRefusal,
  refuseAfterTooManyFailures,
  refuseAfterTooManyGuesses,
  type SignInAttempt,
  createSignInAttempt,
} from './sign-in-throttle.ts'
import { hasLeft, mayHaveLogin } from './child-logins.ts'
import { verifyPasskey, type RelyingParty } from './passkeys.ts'
import { isCorrectPassword, requesterByAccount } from './passwords.ts'
import { checkSecondFactor } from './second-factor.ts'
import { findSignInStep, openSession, type Origin } from './sessions.ts'
import { findFamilyRole, findStaffScope } from './staff-caller.ts'
import { accounts, signInAddresses } from './tables.ts'

const AWAITING_ACTIVATION = 'Your account is awaiting activation by the admin team.'
const LOGIN_CLOSED =
  'This login was closed. Use your parent’s or guardian’s, or ask your instructor to reopen it.'
const CONSENT_MISSING =
  'A parent or guardian has to agree before you can log in. Please ask your instructor.'
const HAS_LEFT =
  'You no longer train here, so this login is closed. If you want to come back, please ask your ' +
  'instructor.'
const NOT_ON_STAFF =
  'You are no longer on the staff, so this login is closed. Please ask the owner.'
const NO_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000'

type AddressedAttempt = SignInAttempt & { address: string }
/** Warns the account's owner that somebody may be guessing the password. Returns a function that
 *  finishes the report after the commit. */
type ReportGuesses = (tx: Tx, account: Account) => Promise<() => void>
export type SignedIn = { token: string; account: Account; step: SignInStep | null }

/** Throws 422 if a code is required and missing. A wrong email and a wrong password get the same
 *  reply, and only the right password reveals that an account is inactive. docs/modules/accounts.md
 *  explains the limits. */
export async function signIn(
  { db, anonymousQueue }: { db: Database; anonymousQueue: FairQueue },
  { email, password, code }: Credentials,
  origin: Origin,
  maxFailures: number,
  reportGuesses: ReportGuesses,
): Promise<SignedIn> {
  const { address } = origin
  const attempt: AddressedAttempt = { ...createSignInAttempt(email, maxFailures), address }
  let finishReport = () => {}
  const { accountOfEmail, isKnownAddress } = await anonymousQueue(requesterByAddress(address), () =>
    db.withoutDojo((tx) => findAccountOfEmail(tx, email, attempt)),
  )
  const requester =
    accountOfEmail && isKnownAddress
      ? requesterByAccount(accountOfEmail.id)
      : requesterByAddress(address)
  const isCorrect = await isCorrectPassword(
    password,
    accountOfEmail?.password_hash ?? null,
    requester,
  )
  const session = await db.withoutDojo(async (tx) => {
    await lockAttempts(tx, attempt)
    const account =
      accountOfEmail && isCorrect ? await lockUnchangedAccount(tx, accountOfEmail) : null
    const knownAddress = accountOfEmail
      ? await findKnownAddress(tx, accountOfEmail.id, address)
      : undefined
    refuseAfterTooManyGuesses(knownAddress)
    if (accountOfEmail && !account && knownAddress) {
      const isNowLocked = await recordGuess(tx, knownAddress)
      if (isNowLocked) finishReport = await reportGuesses(tx, accountOfEmail)
    }
    const failureRefusal = await findFailureRefusal(tx, attempt)
    const isExempt = account !== null && knownAddress !== undefined
    if (failureRefusal && !isExempt) return failureRefusal
    if (!account) {
      await recordFailure(tx, attempt)
      return null
    }
    await refuseInactiveAccount(tx, account)
    const refusal = await checkSecondFactor(tx, account, code, maxFailures)
    if (refusal) return refusal
    await clearFailures(tx, attempt)
    return openAccountSession(tx, account, origin)
  })
  finishReport()
  if (session instanceof Refusal) throw session
  if (!session) throw new Refusal(401, 'Incorrect email or password')
  return session
}

/** Reads the account again and locks it. Returns null if the password has changed since the first
 *  read. */
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
  return { token, account, step: await findSignInStep(tx, token) }
}

/** Needs no password or second factor, because the device checks its user. Throws 401 for an
 *  invalid passkey. */
export async function signInByPasskey(
  { db, anonymousQueue }: { db: Database; anonymousQueue: FairQueue },
  party: RelyingParty,
  response: PasskeyResponse,
  origin: Origin,
): Promise<SignedIn> {
  return anonymousQueue(requesterByAddress(origin.address), () =>
    db.withoutDojo(async (tx) => {
      const account = await verifyPasskey(tx, party, response)
      await refuseInactiveAccount(tx, account)
      return openAccountSession(tx, account, origin)
    }),
  )
}

/** Finds the account of an email before the password is checked. Attempts from a known address have
 *  priority, and other people's failures do not block them. */
async function findAccountOfEmail(tx: Tx, email: string, attempt: AddressedAttempt) {
  const accountOfEmail = await findAccountByEmail(tx, email)
  // This query runs even if there is no account, so that the reply takes the same time.
  const knownAddress = await findKnownAddress(
    tx,
    accountOfEmail?.id ?? NO_ACCOUNT_ID,
    attempt.address,
  )
  refuseAfterTooManyGuesses(knownAddress)
  const isKnownAddress = knownAddress !== undefined
  await refuseAfterTooManyFailures(tx, attempt, isKnownAddress)
  return { accountOfEmail, isKnownAddress }
}

async function refuseInactiveAccount(tx: Tx, account: Account) {
  const { id, dojo_id, is_active } = account
  const isInstructor = account.role === 'instructor'
  if (!is_active) throw new Refusal(403, isInstructor ? AWAITING_ACTIVATION : LOGIN_CLOSED)
  if (!dojo_id) return
  const { role, isOwner, startsOn } = await insideDojo(tx, dojo_id, (dojoTx) =>
    findCurrentRole(dojoTx, account),
  )
  if (isOwner) return
  await requireActiveDojo(tx, dojo_id)
  if (startsOn) throw new Refusal(403, `You can log in from ${formatDay(startsOn)}.`)
  if (!role) throw new Refusal(403, NOT_ON_STAFF)
  if (role !== 'student') return
  const refusal = await insideDojo(tx, dojo_id, (dojoTx) => findStudentRefusal(dojoTx, dojo_id, id))
  if (refusal) throw new Refusal(403, refusal)
}

/** Before their first day and after their last, staff can only use the family view. */
async function findCurrentRole(tx: Tx, { id, role, dojo_id }: Account) {
  if (role !== 'instructor') return { role, isOwner: false, startsOn: null }
  const { scope, startsOn } = await findStaffScope(tx, { id, dojoId: dojo_id })
  if (scope) return { role, isOwner: scope.isOwner, startsOn: null }
  const familyRole = await findFamilyRole(tx, id)
  return { role: familyRole, isOwner: false, startsOn: familyRole ? null : startsOn }
}

async function findStudentRefusal(tx: Tx, dojoId: string, id: string): Promise<string | null> {
  if (await hasLeft(tx, id)) return HAS_LEFT
  return (await mayHaveLogin(tx, dojoId, id)) ? null : CONSENT_MISSING
}
