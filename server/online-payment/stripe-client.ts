import { Stripe } from 'stripe'
import { type FailureKind, ProviderFailure } from './provider.ts'

export const API_VERSION = '2026-10-28.endive'
export const CURRENCY = 'usd'
/** Most calls take less than a second. The banks of some payers take several. */
const CALL_TIMEOUT_MS = 10_000

export function createClient(secretKey: string, apiUrl: string | undefined): Stripe {
  const address = apiUrl ? addressOf(apiUrl) : {}
  return new Stripe(secretKey, {
    ...address,
    apiVersion: API_VERSION,
    timeout: CALL_TIMEOUT_MS,
    // We repeat calls ourselves, with our own idempotency keys.
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

function addressOf(apiUrl: string) {
  const { hostname, port, protocol } = new URL(apiUrl)
  return { host: hostname, port, protocol: protocol === 'https:' ? 'https' : 'http' } as const
}

/** Stripe names an object by its id, or includes it. */
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  (typeof reference === 'object' ? reference?.id : reference) ?? null

/** Turns an error of Stripe's library into a `ProviderFailure`. */
export const withFailure = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw toFailure(error)
  })

const NO_RESPONSE = 'Stripe did not respond'
const MESSAGES: Record<FailureKind, string> = {
  unknown: NO_RESPONSE,
  retry: 'Stripe is busy',
  wrong_key: 'Stripe does not accept this key',
  rejected: 'Stripe refused the request',
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const status = error.statusCode ?? null
  const kind = kindOf(status)
  return new ProviderFailure(kind, MESSAGES[kind], {
    status,
    code: error.code ?? null,
    isStoredError: kind === 'unknown' && error.headers?.['idempotent-replayed'] === 'true',
    cause: error,
  })
}

function kindOf(status: number | null): FailureKind {
  if (status === null || status >= 500) return 'unknown'
  if (status === 409 || status === 429) return 'retry'
  return status === 401 || status === 403 ? 'wrong_key' : 'rejected'
}
