import { randomBytes } from 'node:crypto'
import { fairQueue, type Requester } from '../http/fair-queue.ts'
import { Refusal } from '../lib/refusal.ts'
import { ARGON2ID, MAX_CONCURRENT_HASHES, runInWorker } from './password-hashing.ts'

const MAX_WAITING = 200
/** Longer than browsers wait. */
const TIMEOUT_MS = 20_000
const queue = fairQueue({
  concurrency: MAX_CONCURRENT_HASHES,
  maxWaiting: MAX_WAITING,
  timeoutMs: TIMEOUT_MS,
  refusal: () =>
    new Refusal(429, 'Too many people are logging in right now. Please try again in a moment.', {
      retryAfterSeconds: 5,
    }),
})

/** Signed-in accounts, and sign-ins from a known address, have priority. */
export const requesterByAccount = (accountId: string): Requester => ({
  key: accountId,
  hasPriority: true,
})
const SERVER_REQUESTER: Requester = { key: 'the server itself', hasPriority: true }

export const hashPassword = (password: string, requester = SERVER_REQUESTER): Promise<string> =>
  queue(requester, () => runInWorker({ password, verified: null }) as Promise<string>)

const unpaddedBase64 = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
/** For an account that cannot be signed in to until a password is set. */
export const unusableHash = (): string =>
  `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}$${unpaddedBase64(16)}$${unpaddedBase64(32)}`
/** Verified if there is no account, so that the response takes the same time. */
const DUMMY_HASH = unusableHash()

/** A null hash (no such account) takes as long and returns false. */
export const isPassword = (
  password: string,
  passwordHash: string | null,
  requester: Requester,
): Promise<boolean> =>
  queue(
    requester,
    async () =>
      (await runInWorker({ password, verified: passwordHash ?? DUMMY_HASH })) === true &&
      passwordHash !== null,
  )
