import type { Endpoint, Reply, Sent } from '@tatami/contract/endpoint'
import { takeAnswer } from './asked-ahead.ts'
import { endAttempt, keyOfAttempt } from './idempotency-keys.ts'
import { hearServerClock } from './server-clock.ts'
import { session } from './session.ts'

const REQUEST_TIMEOUT_MS = 8000
const NO_ANSWER = 0

export type FieldError = { field: string; message: string }

/** A call that was refused, went wrong, or got no answer at all (status 0). */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** The server's own words, when it gave any. */
  readonly detail: string | undefined
  readonly errors: FieldError[]
  constructor(status: number, body?: unknown) {
    const { detail, message, error, errors } = Object(body) as Record<string, unknown>
    // What stands between us and the server may answer in other fields (specification, section 8).
    super([detail, message, error].find(isWords) ?? `Server error: ${status}`)
    this.status = status
    this.detail = isWords(detail) ? detail : undefined
    this.errors = Array.isArray(errors) ? errors.filter(isFieldError) : []
  }
}

const isWords = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isFieldError = (error: unknown): error is FieldError => {
  const { field, message } = Object(error) as Partial<FieldError>
  return typeof field === 'string' && typeof message === 'string'
}

/** The request was cut off or took too long; whether it was carried out is not known. */
export const gotNoAnswer = (error: unknown) => error instanceof ApiError && error.status === NO_ANSWER

/** The server's own words when it gave any, otherwise ours. */
export const explain = (error: unknown, ours: string): string => (error instanceof ApiError && error.detail) || ours

type Keyed<E extends Endpoint> = E extends { idempotent: true } ? { idempotencyKey?: string } : unknown
type Loose<S> = { [P in keyof S as object extends S[P] ? never : P]: S[P] } & { [P in keyof S as object extends S[P] ? P : never]?: S[P] }
type Order<E extends Endpoint> = Loose<Sent<E>> & Keyed<E>
/** What a call takes: its params, query and body; nothing where the endpoint asks for nothing. Where a call made again is not
 *  to be carried out again, a key, where the caller wants one of its own. */
export type Args<E extends Endpoint> = object extends Order<E> ? [sent?: Order<E>] : [sent: Order<E>]

type Parts = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown; idempotencyKey?: string }

function addressOf(endpoint: Endpoint, { params = {}, query = {} }: Parts) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const asked = Object.entries(query)
    .filter(([, value]) => value != null)
    .map(([name, value]) => [name, String(value)])
  return `${path}${asked.length > 0 ? `?${new URLSearchParams(asked)}` : ''}`
}

/** The last answer to each call that is polled, and its tag. In memory only: the browser would keep it on the disk for whoever comes next. */
const known = new Map<string, { tag: string; body: unknown }>()
session.watch(() => known.clear())

/** Makes one call. Throws an ApiError, and nothing else but the caller's own abort. */
export async function call<const E extends Endpoint>(endpoint: E, sent?: Args<E>[0], stop?: AbortSignal): Promise<Reply<E>> {
  const parts = (sent ?? {}) as Parts
  // A public call says nothing of who is signed in.
  const token = endpoint.access === 'public' ? null : session.token()
  const address = addressOf(endpoint, parts)
  const content = parts.body === undefined ? undefined : JSON.stringify(parts.body)
  const name = `${endpoint.method} ${address}`
  const key = parts.idempotencyKey ?? (endpoint.idempotent && keyOfAttempt(name, content ?? ''))
  const last = endpoint.polled && known.get(address)
  const late = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  let response: Response, body: unknown
  try {
    response =
      (endpoint.method === 'GET' && (await takeAnswer(address, token))) ||
      (await fetch(`/api${address}`, {
        method: endpoint.method,
        headers: {
          ...(content !== undefined && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(last && { 'if-none-match': last.tag }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(content !== undefined && { body: content }),
        signal: stop ? AbortSignal.any([stop, late]) : late,
      }))
    hearServerClock(response.headers.get('date'))
    body = JSON.parse((await response.text()) || 'null', undefined)
  } catch (error) {
    stop?.throwIfAborted()
    // A proxy's page instead of ours: the status still tells what happened.
    if (error instanceof SyntaxError) throw new ApiError(response!.ok ? 502 : response!.status)
    throw new ApiError(NO_ANSWER)
  }
  // The token may have been replaced while the call was under way.
  if (response.status === 401 && token && token === session.token()) session.end()
  if (response.status === 304 && last) return last.body as Reply<E>
  if (!response.ok) throw new ApiError(response.status, body)
  if (key) endAttempt(name, key)
  const tag = endpoint.polled && response.headers.get('etag')
  if (tag) known.set(address, { tag, body })
  return body as Reply<E>
}
