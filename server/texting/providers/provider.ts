/** The provider delivers texts. Code outside this folder knows only this interface. */

/** A text to send. Only the simulator uses the ids. */
export type OutgoingText = { dojoId: string; messageId: string; to: string; text: string }
export type DeliveryStatus = 'accepted' | 'sent' | 'delivered' | 'undelivered' | 'failed'
export type ProviderStatus = { id: string; status: DeliveryStatus; errorCode: number | null }

/** `replyUrl` is the address that the provider posts replies to. */
export type ServiceDetails = { isTrial: boolean; replyUrl: string | null }
export const NO_DETAILS: ServiceDetails = { isTrial: false, replyUrl: null }

export type Provider = {
  service: 'twilio_sms' | 'simulator' | 'none'
  /** The dojo's own Twilio account. Null for the server's service. */
  accountSid: string | null
  from: string | null
  /** Throws a SendFailure, as all calls do. */
  send: (text: OutgoingText) => Promise<ProviderStatus>
  /** Finds texts with the same wording to the same phone, to learn whether one was sent. */
  findSent: (text: OutgoingText, sentAfter: Date) => Promise<ProviderStatus[]>
  fetchStatus: (text: OutgoingText, id: string) => Promise<ProviderStatus>
  check: () => Promise<ServiceDetails>
  /** True if the provider reports statuses to us. If not, workers ask for them. */
  hasCallbacks: boolean
}

/** `unknown`: the text may have been sent. `retry`, `rate-limited`: it can be sent later.
 *  `unavailable`: no text can be sent now. `rejected`: this text can never be sent. */
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
  readonly code: number | null
  /** Null if the provider did not respond. */
  readonly status: number | null
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

const rejectAsNotSetUp = () =>
  Promise.reject(new SendFailure('unavailable', 'No text service is set up'))

export const NO_PROVIDER: Provider = {
  service: 'none',
  accountSid: null,
  from: null,
  hasCallbacks: true,
  send: rejectAsNotSetUp,
  findSent: () => Promise.resolve([]),
  fetchStatus: rejectAsNotSetUp,
  check: rejectAsNotSetUp,
}

/** Twilio's error codes, with messages for the instructor. */
const ERROR_CODES: Record<number, { kind: FailureKind; message: string }> = {
  21610: { kind: 'rejected', message: 'Opted out of texts' },
  21211: { kind: 'rejected', message: 'Not a phone number that can get texts' },
  21612: { kind: 'rejected', message: 'Not a phone number that can get texts' },
  21614: { kind: 'rejected', message: 'Not a mobile number' },
  20429: { kind: 'rate-limited', message: 'Too many texts at once' },
  20003: { kind: 'unavailable', message: 'The text service does not accept our credentials' },
  20005: { kind: 'unavailable', message: 'The Twilio account is suspended' },
  21608: { kind: 'rejected', message: 'A trial account only texts numbers verified with Twilio' },
  21659: { kind: 'unavailable', message: 'Our number does not belong to the account' },
  21660: { kind: 'unavailable', message: 'Our number does not belong to the account' },
  21703: { kind: 'unavailable', message: 'The messaging service has no number' },
  30002: { kind: 'unavailable', message: 'The Twilio account is suspended' },
  30003: { kind: 'rejected', message: 'The phone was off or could not be reached' },
  30004: { kind: 'rejected', message: 'The phone blocks our texts' },
  30005: { kind: 'rejected', message: 'The number is unknown or no longer in use' },
  30006: { kind: 'rejected', message: 'A landline or unreachable carrier' },
  30007: { kind: 'rejected', message: 'The carrier blocked it as spam' },
  30034: { kind: 'unavailable', message: 'Our number is not registered with the carriers' },
}

export const OPTED_OUT = 21610
export const WRONG_CREDENTIALS = 20003
export const ACCOUNT_SUSPENDED = 20005
export const NUMBER_NOT_YOURS = 21660
const INVALID_NUMBERS = new Set([21211, 21612, 21614, 30005, 30006])

export const isInvalidNumber = (code: number | null): boolean =>
  code !== null && INVALID_NUMBERS.has(code)

export const failureKindOf = (code: number | null): FailureKind | undefined =>
  code === null ? undefined : ERROR_CODES[code]?.kind

export const isServiceUnavailable = (code: number | null): boolean =>
  failureKindOf(code) === 'unavailable'

export const describeErrorCode = (code: number | null): string =>
  code === null
    ? 'The text service could not deliver it'
    : (ERROR_CODES[code]?.message ?? `The text service could not deliver it (${code})`)
