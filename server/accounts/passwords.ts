import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { Refusal } from '../kernel/refusal.ts'

/** OWASP's minimum for argon2id: 19 MiB, two passes. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** More at once would starve every other call of the processor. */
const AT_ONCE = 2
const WAITING_AT_MOST = 200

const oneOf = pLimit(AT_ONCE)

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (oneOf.pendingCount >= WAITING_AT_MOST)
    throw new Refusal(429, 'Too many people are signing in right now. Please try again in a moment.', { retryAfterSeconds: 5 })
  return oneOf(work)
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, ARGON2ID))

// Verified when there is no account, so that the answer takes the same time.
const nobodys = hash('nobody has this password', ARGON2ID)

/** Whether the password is the one behind `passwordHash`; null (no such account) takes as long and is false. */
export const isPassword = async (password: string, passwordHash: string | null): Promise<boolean> => {
  const known = passwordHash ?? (await nobodys)
  return (await inTurn(() => verify(known, password))) && passwordHash !== null
}
