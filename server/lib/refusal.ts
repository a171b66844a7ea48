import type { EndReason } from '@tatami/contract/accounts/accounts'

type FieldError = { field: string; message: string }
type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503

export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: Status
  readonly errors: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly reason: EndReason | undefined
  constructor(
    status: Status,
    detail: string,
    details: {
      errors?: FieldError[]
      retryAfterSeconds?: number
      reason?: EndReason | undefined
    } = {},
  ) {
    super(detail)
    this.status = status
    this.errors = details.errors
    this.retryAfterSeconds = details.retryAfterSeconds
    this.reason = details.reason
  }
}

export const invalid = (field: string, message: string): Refusal =>
  new Refusal(422, message, { errors: [{ field, message }] })

/** For a call without a valid token. `reason` is set if the session was ended by somebody else. */
export const notSignedIn = (reason: EndReason | null = null): Refusal =>
  new Refusal(401, 'Authentication required. Please log in again.', { reason: reason ?? undefined })

/** The reply does not reveal whether the record exists in another dojo. */
export const notFound = (subject: string): Refusal => new Refusal(404, `${subject} not found`)
