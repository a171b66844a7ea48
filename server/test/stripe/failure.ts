type ErrorFields = { type?: string; code?: string; message: string; [field: string]: unknown }

/** A response of Stripe that is an error. */
export class StripeFailure extends Error {
  override name = 'StripeFailure'
  readonly status: number
  readonly fields: ErrorFields
  /** Stripe repeats a remembered failure when the request is sent again with the same idempotency
   *  key. It does not remember failures of the request itself, such as a missing parameter. */
  readonly isRemembered: boolean
  constructor(status: number, fields: ErrorFields, { isRemembered = false } = {}) {
    super(fields.message)
    this.status = status
    this.fields = { type: 'invalid_request_error', ...fields }
    this.isRemembered = isRemembered
  }
}

export const invalidRequest = (message: string, code?: string): StripeFailure =>
  new StripeFailure(400, { message, ...(code && { code }) })

export const noSuchObject = (kind: string, id: string): StripeFailure =>
  new StripeFailure(404, { message: `No such ${kind}: '${id}'`, code: 'resource_missing' })
