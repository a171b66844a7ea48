/** A text to send. Only the simulator needs the ids, which are this system's own. */
export type Outgoing = { dojoId: string; messageId: string; to: string; text: string }
/** The statuses of providers, as far as Tatami tells them apart. */
export type DeliveryStatus = 'accepted' | 'sent' | 'delivered' | 'undelivered' | 'failed'
/** The status of a message at the provider, under the provider's own id. */
export type ProviderStatus = { id: string; status: DeliveryStatus; errorCode: number | null }

export type Provider = {
  service: 'twilio_sms' | 'simulator' | 'none'
  /** The number that texts come from, where there is one. */
  from: string | null
  /** Throws a SendFailure. */
  send: (text: Outgoing) => Promise<ProviderStatus>
  /** Messages to this phone with this text, created since. Throws a SendFailure when the provider cannot answer. */
  findSent: (text: Outgoing, since: Date) => Promise<ProviderStatus[]>
  fetchStatus: (text: Outgoing, id: string) => Promise<ProviderStatus>
  /** Throws a SendFailure when texts cannot be sent. */
  check: () => Promise<void>
  /** Whether the provider reports statuses to the webhook; otherwise they are polled. */
  hasCallbacks: boolean
}

/**
 * `unknown`: it may have been sent. `retry`: it was not sent; try again. `rate-limited`: not sent, too fast.
 * `unavailable`: not sent, and no other text would be. `rejected`: this text never will be sent.
 */
export type FailureKind = 'unknown' | 'retry' | 'rate-limited' | 'unavailable' | 'rejected'

type FailureDetails = { code?: number | null; status?: number | null; retryAfterSeconds?: number; cause?: unknown }

export class SendFailure extends Error {
  override name = 'SendFailure'
  readonly kind: FailureKind
  /** The provider's error code and HTTP status, null where it did not answer. */
  readonly code: number | null
  readonly status: number | null
  /** How long the provider asked to be left alone, 0 where it did not. */
  readonly retryAfterSeconds: number
  constructor(kind: FailureKind, message: string, { code = null, status = null, retryAfterSeconds = 0, cause }: FailureDetails = {}) {
    super(message, { cause })
    this.kind = kind
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const notSetUp = () => Promise.reject(new SendFailure('unavailable', 'No text service is set up'))

/** Chosen in the settings to send no texts at all. */
export const NO_PROVIDER: Provider = {
  service: 'none',
  from: null,
  hasCallbacks: true,
  send: notSetUp,
  findSent: () => Promise.resolve([]),
  fetchStatus: notSetUp,
  check: notSetUp,
}
