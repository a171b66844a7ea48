import type { Credentials } from '@tatami/contract/accounts'
import { and, eq } from 'drizzle-orm'
import { nowIso } from '../lib/clock.ts'
import type { Database, Tx } from '../db/database.ts'
import { type FairQueue, requesterByAddress } from '../http/fair-queue.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Account, accountByEmail, requireActiveDojo } from './accounts.ts'
import { forgetFailures, type Guess, guessAt, refuseGuessing, rememberFailure, settleOneByOne } from './guesses.ts'
import { isPassword, turnOfAccount } from './passwords.ts'
import { openSession } from './sessions.ts'
import { accounts, signInAddresses } from './tables.ts'

const NOBODY = '00000000-0000-0000-0000-000000000000'

type Try = Guess & { address: string }

/**
 * One answer for a wrong e-mail and a wrong password. After `maxFailures` failures only the right password gets in, and only
 * from an address that the account has signed in from before. An account that may not sign in is told why when the password is right.
 */
export async function signIn(
  { db, anonymousQueue }: { db: Database; anonymousQueue: FairQueue },
  { email, password }: Credentials,
  address: string,
  maxFailures: number,
): Promise<{ token: string; account: Account }> {
  const tried: Try = { ...guessAt(email, maxFailures), address }
  const { found, isKnown } = await anonymousQueue(requesterByAddress(address), () => db.withoutDojo((tx) => lookUp(tx, email, tried)))
  const turn = found && isKnown ? turnOfAccount(found.id) : requesterByAddress(address)
  const right = await isPassword(password, found?.password_hash ?? null, turn)
  const opened = await db.withoutDojo(async (tx) => {
    await settleOneByOne(tx, tried)
    const account = right ? await asItIsNow(tx, found!) : null
    await refuseGuessing(tx, tried, async () => account !== null && isKnownAddress(tx, account.id, tried.address))
    return account ? { token: await open(tx, tried, account), account } : rememberFailure(tx, tried)
  })
  if (!opened) throw new Refusal(401, 'Incorrect email or password')
  return opened
}

/** Hashing took its time: the account may have been deleted, deactivated or given another password. It stays as it is until the session is open. */
async function asItIsNow(tx: Tx, { id, password_hash }: Account): Promise<Account | null> {
  const [account] = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), eq(accounts.password_hash, password_hash)))
    .for('share')
  return account ?? null
}

async function open(tx: Tx, tried: Try, account: Account): Promise<string> {
  await refuseInactive(tx, account)
  await forgetFailures(tx, tried)
  await tx
    .insert(signInAddresses)
    .values({ account_id: account.id, address: tried.address, used_at: nowIso() })
    .onConflictDoUpdate({ target: [signInAddresses.account_id, signInAddresses.address], set: { used_at: nowIso() } })
  return openSession(tx, account.id)
}

/** The account, and whether it has signed in from this address before: then it goes first, and other people's failures do not lock it out. */
async function lookUp(tx: Tx, email: string, tried: Try) {
  const found = await accountByEmail(tx, email)
  // Asked where there is no account as well, so that the answer takes the same time.
  const isKnown = await isKnownAddress(tx, found?.id ?? NOBODY, tried.address)
  await refuseGuessing(tx, tried, () => Promise.resolve(isKnown))
  return { found, isKnown }
}

async function isKnownAddress(tx: Tx, accountId: string, address: string): Promise<boolean> {
  const [known] = await tx
    .select({ at: signInAddresses.used_at })
    .from(signInAddresses)
    .where(and(eq(signInAddresses.account_id, accountId), eq(signInAddresses.address, address)))
  return known !== undefined
}

async function refuseInactive(tx: Tx, account: Account) {
  if (!account.is_active) throw new Refusal(403, 'Your account is awaiting activation by the admin team.')
  if (account.role === 'student') await requireActiveDojo(tx, account.dojo_id!)
}
