import { randomBytes } from 'node:crypto'
import { createFairQueue, type Requester } from '../http/fair-queue.ts'
import { Refusal } from '../lib/refusal.ts'
import { ARGON2ID, MAX_CONCURRENT_HASHES, runInWorker } from './password-hashing.ts'

const MAX_WAITING = 200
/** No browser waits this long for a reply. */
const TIMEOUT_MS = 20_000
const queue = createFairQueue({
  concurrency: MAX_CONCURRENT_HASHES,
  maxWaiting: MAX_WAITING,
  timeoutMs: TIMEOUT_MS,
  refusal: () =>
    new Refusal(429, 'Too many people are logging in right now. Please try again in a moment.', {
      retryAfterSeconds: 5,
    }),
})

/** Signed-in accounts and sign-ins from a known address have priority. */
export const requesterByAccount = (accountId: string): Requester => ({
  key: accountId,
  hasPriority: true,
})
const SERVER_REQUESTER: Requester = { key: 'the server itself', hasPriority: true }

export const hashPassword = (password: string, requester = SERVER_REQUESTER): Promise<string> =>
  queue(requester, () => runInWorker({ kind: 'hash', password }))

const unpaddedBase64 = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')

/** Creates a hash that no password matches, for an account whose owner must first set a
 *  password. */
export function createUnusableHash(): string {
  const { memoryCost, timeCost, parallelism } = ARGON2ID
  const [salt, digest] = [unpaddedBase64(16), unpaddedBase64(32)]
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`
}

const DUMMY_HASH = createUnusableHash()

/** A null hash means that there is no account. The check then takes just as long and returns
 *  false. */
export const isPassword = (
  password: string,
  passwordHash: string | null,
  requester: Requester,
): Promise<boolean> =>
  queue(requester, async () => {
    const hash = passwordHash ?? DUMMY_HASH
    const isMatch = await runInWorker({ kind: 'verify', password, hash })
    return isMatch && passwordHash !== null
  })
