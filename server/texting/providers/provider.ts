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

type FailureDetails = {
  code?: number | null
  status?: number | null
  retryAfterSeconds?: number
  cause?: unknown
}

export class SendFailure extends Error {
  override name = 'SendFailure'
  readonly kind: FailureKind
  /** The provider's error code and HTTP status, null where it did not answer. */
  readonly code: number | null
  readonly status: number | null
  /** How long the provider asked to be left alone, 0 where it did not. */
  readonly retryAfterSeconds: number
  constructor(
    kind: FailureKind,
    message: string,
    { code = null, status = null, retryAfterSeconds = 0, cause }: FailureDetails = {},
  ) {
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

/** Twilio's error codes that Tatami acts on, each with what the instructor reads. */
const CODES: Record<number, { kind: FailureKind; message: string }> = {
  21610: { kind: 'rejected', message: 'Opted out of texts' },
  21211: { kind: 'rejected', message: 'Not a phone number that can get texts' },
  21612: { kind: 'rejected', message: 'Not a phone number that can get texts' },
  21614: { kind: 'rejected', message: 'Not a mobile number' },
  20429: { kind: 'rate-limited', message: 'Too many texts at once' },
  20003: { kind: 'unavailable', message: 'The text service does not accept our credentials' },
  30003: { kind: 'rejected', message: 'The phone was off or could not be reached' },
  30004: { kind: 'rejected', message: 'The phone blocks texts from us' },
  30005: { kind: 'rejected', message: 'The number is unknown or no longer in use' },
  30006: { kind: 'rejected', message: 'A landline, or a carrier that cannot be reached' },
  30007: { kind: 'rejected', message: 'The carrier took it for spam' },
  30034: { kind: 'unavailable', message: 'Our number is not registered with the carriers' },
}

export const OPTED_OUT = 21610
const INVALID_NUMBERS = new Set([21211, 21612, 21614, 30005, 30006])

export const isInvalidNumber = (code: number | null): boolean =>
  code !== null && INVALID_NUMBERS.has(code)
/** What an error code means for its text; undefined for one that Tatami does not know. */
export const failureKindOf = (code: number | null): FailureKind | undefined =>
  code === null ? undefined : CODES[code]?.kind
export const stopsSending = (code: number | null): boolean => failureKindOf(code) === 'unavailable'

/** Why a text did not arrive, for the instructor. */
export const describeErrorCode = (code: number | null): string =>
  code === null
    ? 'The text service could not deliver it'
    : (CODES[code]?.message ?? `The text service could not deliver it (${code})`)
