/** The requests of the page for signing. It does not use web/lib/api.ts, which would load the app. */
import type { Endpoint, Input, Reply } from '@tatami/contract/lib/endpoint'

/** The server may be drawing the PDF, so this is longer than in the app. */
const TIMEOUT_MS = 30_000

type FieldError = { field: string; message: string }

/** A request that the server refused, or that got no response. Then, `message` is null. */
export class FailedRequest extends Error {
  readonly detail: string | null
  readonly errors: readonly FieldError[]
  constructor(body: { detail?: string; errors?: FieldError[] } | null) {
    super('The request failed')
    this.detail = body?.detail ?? null
    this.errors = body?.errors ?? []
  }
}

type Body<Call extends Endpoint> =
  Input<Call> extends { body: infer RequestBody } ? RequestBody : never

async function post(path: string, body: unknown): Promise<Response> {
  const response = await fetch(`/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new FailedRequest(null)
  })
  if (response.ok) return response
  throw new FailedRequest(await response.json().catch(() => ({ detail: 'Please try again.' })))
}

export async function request<const Call extends Endpoint>(
  { path }: Call,
  body: Body<Call>,
): Promise<Reply<Call>> {
  const response = await post(path, body)
  return (await response.json()) as Reply<Call>
}

export const requestFile = async <const Call extends Endpoint>(
  { path }: Call,
  body: Body<Call>,
): Promise<Blob> => (await post(path, body)).blob()
