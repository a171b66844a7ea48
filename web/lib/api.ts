import type { Endpoint, Reply, Input } from '@tatami/contract/lib/endpoint'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { takePrefetched } from './prefetch.ts'
import { updateServerClock } from './server-clock.ts'
import { session } from './session.ts'

const REQUEST_TIMEOUT_MS = 8000
/** The status of an ApiError when no response came. */
export const NO_RESPONSE = 0
const INTERNAL_ERROR = 500
const BAD_GATEWAY = 502

export type FieldError = { field: string; message: string }

export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly detail: string | undefined
  readonly errors: FieldError[]
  readonly reason: string | undefined
  constructor(status: number, body?: unknown) {
    const { detail, message, error, errors, reason } = Object(body) as Record<string, unknown>
    // A proxy may put its message into another field (specification, section 8).
    super([detail, message, error].find(isText) ?? `Server error: ${status}`)
    this.status = status
    this.detail = isText(detail) ? detail : undefined
    this.errors = Array.isArray(errors) ? errors.filter(isFieldError) : []
    this.reason = isText(reason) ? reason : undefined
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isFieldError = (error: unknown): error is FieldError => {
  const { field, message } = Object(error) as Partial<FieldError>
  return typeof field === 'string' && typeof message === 'string'
}

/** The request was cut off or timed out. The server may have carried it out. */
export const isNetworkError = (error: unknown) =>
  error instanceof ApiError && error.status === NO_RESPONSE

/** The server refused the request and changed nothing. */
export const isRefused = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

/** Uses the fallback for a status of 500, because the server then only says "Something went
 *  wrong". */
export const errorMessage = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.status !== INTERNAL_ERROR && error.detail) || fallback

type RequestState = { isPending: boolean; error: Error | null }
export const failureMessage = (
  { error }: Pick<RequestState, 'error'>,
  fallback: string,
): string | null => error && errorMessage(error, fallback)
/** Props with which a dialog shows the progress of a request. */
export const progressProps = (request: RequestState, fallback: string) => ({
  busy: request.isPending,
  error: failureMessage(request, fallback),
})

type IdempotencyOption<CalledEndpoint extends Endpoint> = CalledEndpoint extends {
  idempotent: true
}
  ? { idempotencyKey?: string }
  : unknown
/** Makes a part optional if all of its fields are optional. */
type OptionalParts<Parts> = {
  [Name in keyof Parts as object extends Parts[Name] ? never : Name]: Parts[Name]
} & {
  [Name in keyof Parts as object extends Parts[Name] ? Name : never]?: Parts[Name]
}
type CallOptions<CalledEndpoint extends Endpoint> = OptionalParts<Input<CalledEndpoint>> &
  IdempotencyOption<CalledEndpoint>
export type Args<CalledEndpoint extends Endpoint> =
  object extends CallOptions<CalledEndpoint>
    ? [input?: CallOptions<CalledEndpoint>]
    : [input: CallOptions<CalledEndpoint>]

export type RequestParts = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
}

export function buildUrl(endpoint: Endpoint, { params = {}, query = {} }: RequestParts) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const entries = Object.entries(query)
    .filter(([, value]) => value != null)
    .map(([name, value]) => [name, String(value)])
  return `${path}${entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''}`
}

/** The last reply to each polled request. In memory, so replies do not outlive the session. */
const polledReplies = new Map<string, { etag: string; body: unknown }>()
session.subscribe(() => polledReplies.clear())

/** Does not use `crypto.randomUUID`, which works only over https. */
export const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** The last request to each method and URL that has not succeeded */
const lastAttempts = new Map<string, { body: string; key: string }>()
session.subscribe(() => lastAttempts.clear())

/** A retry with the same body keeps its key, even if the form was closed in between. */
function idempotencyKeyFor(methodAndUrl: string, body: string): string {
  const lastAttempt = lastAttempts.get(methodAndUrl)
  const key = lastAttempt?.body === body ? lastAttempt.key : newIdempotencyKey()
  lastAttempts.set(methodAndUrl, { body, key })
  return key
}

function forgetAttempt(methodAndUrl: string, key: string) {
  if (lastAttempts.get(methodAndUrl)?.key === key) lastAttempts.delete(methodAndUrl)
}

type Credential = Pick<typeof session, 'token' | 'end'>
let kioskCredential: Credential | undefined
export const setKioskCredential = (credential: Credential | undefined) => {
  kioskCredential = credential
}
const credentialFor = ({ access }: Endpoint): Credential =>
  access === 'kiosk' ? mustExist(kioskCredential, 'The kiosk’s credential') : session

/** Sends a request. Throws an ApiError, or the reason of `abortSignal` if the caller aborts. */
export async function call<const CalledEndpoint extends Endpoint>(
  endpoint: CalledEndpoint,
  input?: Args<CalledEndpoint>[0],
  abortSignal?: AbortSignal,
): Promise<Reply<CalledEndpoint>> {
  const parts = (input ?? {}) as RequestParts
  const credential = credentialFor(endpoint)
  const token = endpoint.access === 'public' ? null : credential.token()
  const url = buildUrl(endpoint, parts)
  const requestBody = parts.body === undefined ? undefined : JSON.stringify(parts.body)
  const methodAndUrl = `${endpoint.method} ${url}`
  const idempotencyKey =
    parts.idempotencyKey ??
    (endpoint.idempotent && idempotencyKeyFor(methodAndUrl, requestBody ?? ''))
  const polledReply = endpoint.polled && polledReplies.get(url)
  const send = () => {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    return fetch(`/api${url}`, {
      method: endpoint.method,
      headers: {
        ...(requestBody !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(polledReply && { 'if-none-match': polledReply.etag }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(requestBody !== undefined && { body: requestBody }),
      signal: abortSignal ? AbortSignal.any([abortSignal, timeout]) : timeout,
    })
  }
  let response: Response | undefined
  let body: unknown
  try {
    response = (endpoint.method === 'GET' && (await takePrefetched(url, token))) || (await send())
    // A proxy sends a 502 while the server restarts. The key makes the retry safe.
    if (idempotencyKey && response.status === BAD_GATEWAY) response = await send()
    updateServerClock(response.headers.get('date'))
    body = JSON.parse((await response.text()) || 'null')
  } catch (error) {
    abortSignal?.throwIfAborted()
    // A proxy sent a page instead of JSON, so only the status is usable.
    if (error instanceof SyntaxError && response)
      throw new ApiError(response.ok ? BAD_GATEWAY : response.status)
    throw new ApiError(NO_RESPONSE)
  }
  // The token may have been replaced during the request.
  if (response.status === 401 && token && token === credential.token())
    credential.end(new ApiError(401, body).reason)
  if (response.status === 304 && polledReply) return polledReply.body as Reply<CalledEndpoint>
  if (!response.ok) throw new ApiError(response.status, body)
  if (idempotencyKey) forgetAttempt(methodAndUrl, idempotencyKey)
  const etag = endpoint.polled && response.headers.get('etag')
  if (etag) polledReplies.set(url, { etag, body })
  return body as Reply<CalledEndpoint>
}

function failureReason(error: unknown): string {
  if (isNetworkError(error)) return 'no response'
  if (error instanceof ApiError) return `status ${error.status}`
  return error instanceof Error ? error.name : 'unknown'
}

/** Logs no ids, names or server messages, because they may be personal. */
export const logFailure = ({ method, path }: Endpoint, error: unknown) =>
  console.warn(`${method} ${path} failed: ${failureReason(error)}`)
