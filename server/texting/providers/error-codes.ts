import { now } from '../../lib/clock.ts'
import { type FailureKind, SendFailure } from './provider.ts'

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

export const isInvalidNumber = (code: number | null): boolean => code !== null && INVALID_NUMBERS.has(code)
export const stopsSending = (code: number | null): boolean => code !== null && CODES[code]?.kind === 'unavailable'

/** Why a text did not arrive, for the instructor. */
export const describeErrorCode = (code: number | null): string =>
  code === null ? 'The text service could not deliver it' : (CODES[code]?.message ?? `The text service could not deliver it (${code})`)

const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** What a failed call means for its text: an HTTP status with Twilio's error code, or a broken connection. */
export function toSendFailure(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error
  const { status, code, retryAfter } = error as { status?: unknown; code?: unknown; retryAfter?: unknown }
  if (typeof status !== 'number') {
    const kind = NOT_CONNECTED.has(String(code)) ? 'retry' : 'unknown'
    return new SendFailure(kind, 'The text service did not answer', { cause: error })
  }
  const errorCode = typeof code === 'number' ? code : null
  return new SendFailure(
    kindOf(status, errorCode),
    errorCode === null ? `The text service answered ${status}` : describeErrorCode(errorCode),
    {
      code: errorCode,
      status,
      retryAfterSeconds: status === 429 ? parseRetryAfter(retryAfter) : 0,
      cause: error,
    },
  )
}

const LONGEST_RETRY_AFTER_SECONDS = 60
/** A `Retry-After` is a number of seconds or a date. A longer one is cut to a minute, after which the provider may send it again. */
function parseRetryAfter(retryAfter: unknown): number {
  if (typeof retryAfter !== 'string') return 0
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now().getTime()) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, seconds), LONGEST_RETRY_AFTER_SECONDS)
}

function kindOf(status: number, code: number | null): FailureKind {
  if (status >= 500 || status < 400) return 'unknown'
  if (status === 429) return 'rate-limited'
  if (status === 401 || status === 403) return CODES[code ?? 0]?.kind ?? 'unavailable'
  return CODES[code ?? 0]?.kind ?? 'rejected'
}
