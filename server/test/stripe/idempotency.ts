import { StripeFailure } from './failure.ts'
import { DAY_SECONDS, unixTime } from './store.ts'

export type StripeReply = { status: number; body: object }

export const KEY_IN_USE = new StripeFailure(409, {
  type: 'idempotency_error',
  code: 'idempotency_key_in_use',
  message: 'There is currently another in-progress request using this Idempotent Key.',
})

type Entry = { request: string; reply: StripeReply | null; at: number }

/**
 * Remembers the first reply to each idempotency key for 24 hours, declines and internal errors
 * included (https://docs.stripe.com/api/idempotent_requests).
 */
export function createIdempotency() {
  const entries = new Map<string, Entry>()

  /** The remembered reply, or undefined for a new key. */
  const find = (key: string, request: string): StripeReply | undefined => {
    const entry = entries.get(key)
    if (!entry || entry.at + DAY_SECONDS <= unixTime()) return undefined
    if (entry.request !== request)
      throw new StripeFailure(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      })
    if (!entry.reply) throw KEY_IN_USE
    return entry.reply
  }

  return {
    find,
    begin: (key: string, request: string): void =>
      void entries.set(key, { request, reply: null, at: unixTime() }),
    remember: (key: string, reply: StripeReply): void => {
      const entry = entries.get(key)
      if (entry) entry.reply = reply
    },
    /** For requests that failed validation, which Stripe does not remember. */
    forget: (key: string): void => void entries.delete(key),
  }
}
