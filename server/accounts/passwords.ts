import { randomBytes } from 'node:crypto'
import { createFairQueue, type Requester } from '../http/fair-queue.ts'
import { Refusal } from '../lib/refusal.ts'
import { ARGON2ID, MAX_CONCURRENT_HASHES, runInWorker } from './password-hashing.ts'

const MAX_QUEUE_LENGTH = 200
/** A browser does not wait this long for a reply. */
const TIMEOUT_MS = 20_000
const queue = createFairQueue({
  concurrency: MAX_CONCURRENT_HASHES,
  maxWaiting: MAX_QUEUE_LENGTH,
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
const SERVER_REQUESTER: Requester = { key: 'server', hasPriority: true }

export const hashPassword = (password: string, requester = SERVER_REQUESTER): Promise<string> =>
  queue(requester, () => runInWorker({ kind: 'hash', password }))

const SALT_BYTES = 16
const DIGEST_BYTES = 32
/** Argon2 hashes contain base64 without padding. */
const createRandomBase64 = (bytes: number) =>
  randomBytes(bytes).toString('base64').replaceAll('=', '')

/** Creates a hash that no password matches, for an account that has no password yet. */
export function createUnusableHash(): string {
  const { memoryCost, timeCost, parallelism } = ARGON2ID
  const salt = createRandomBase64(SALT_BYTES)
  const digest = createRandomBase64(DIGEST_BYTES)
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`
}

const DUMMY_HASH = createUnusableHash()

/** If there is no account, pass null as its hash. The check then takes just as long and returns
 *  false. */
export const isCorrectPassword = (
  password: string,
  passwordHash: string | null,
  requester: Requester,
): Promise<boolean> =>
  queue(requester, async () => {
    const hash = passwordHash ?? DUMMY_HASH
    const isMatch = await runInWorker({ kind: 'verify', password, hash })
    return isMatch && passwordHash !== null
  })
