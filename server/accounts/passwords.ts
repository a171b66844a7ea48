import { randomBytes } from 'node:crypto'
import { fairQueue, type Requester } from '../http/fair-queue.ts'
import { Refusal } from '../lib/refusal.ts'
import { ARGON2ID, HASHED_AT_ONCE, runInWorker } from './password-hashing.ts'

const WAITING_AT_MOST = 200
/** Browsers have given up by then. */
const PATIENCE_MS = 20_000
const queue = fairQueue({
  concurrency: HASHED_AT_ONCE,
  maxWaiting: WAITING_AT_MOST,
  timeoutMs: PATIENCE_MS,
  refusal: () => new Refusal(429, 'Too many people are signing in right now. Please try again in a moment.', { retryAfterSeconds: 5 }),
})

/** Whoever is signed in, or signs in from where they did before, goes first. */
export const turnOfAccount = (accountId: string): Requester => ({ key: accountId, hasPriority: true })
const OWN_TURN: Requester = { key: 'the server itself', hasPriority: true }

export const hashPassword = (password: string, turn = OWN_TURN): Promise<string> =>
  queue(turn, () => runInWorker({ password, verified: null }) as Promise<string>)

const unpadded = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
/** A hash that no known password has: for an account that nobody may sign in to until a new one is set. */
export const unusableHash = (): string =>
  `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}$${unpadded(16)}$${unpadded(32)}`
/** Verified when there is no account, so that the answer takes the same time. */
const DUMMY_HASH = unusableHash()

/** Whether the password is the one behind `passwordHash`; null (no such account) takes as long and is false. */
export const isPassword = (password: string, passwordHash: string | null, turn: Requester): Promise<boolean> =>
  queue(turn, async () => (await runInWorker({ password, verified: passwordHash ?? DUMMY_HASH })) === true && passwordHash !== null)
