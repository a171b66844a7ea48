import { now } from '../../lib/clock.ts'
import { SendFailure, type Outcome } from './provider.ts'

/** Twilio's numbers that change what we do, each with what the instructor reads. */
const CODES: Record<number, { outcome: Outcome; words: string }> = {
  21610: { outcome: 'refused', words: 'Opted out of texts' },
  21211: { outcome: 'refused', words: 'Not a phone number that can get texts' },
  21612: { outcome: 'refused', words: 'Not a phone number that can get texts' },
  21614: { outcome: 'refused', words: 'Not a mobile number' },
  20429: { outcome: 'slow-down', words: 'Too many texts at once' },
  20003: { outcome: 'stop', words: 'The text service does not accept our credentials' },
  30003: { outcome: 'refused', words: 'The phone was off or could not be reached' },
  30004: { outcome: 'refused', words: 'The phone blocks texts from us' },
  30005: { outcome: 'refused', words: 'The number is unknown or no longer in use' },
  30006: { outcome: 'refused', words: 'A landline, or a carrier that cannot be reached' },
  30007: { outcome: 'refused', words: 'The carrier took it for spam' },
  30034: { outcome: 'stop', words: 'Our number is not registered with the carriers' },
}

export const OPTED_OUT = 21610
const BAD_NUMBERS = new Set([21211, 21612, 21614, 30005, 30006])

export const isBadNumber = (code: number | null): boolean => code !== null && BAD_NUMBERS.has(code)
export const stopsEverything = (code: number | null): boolean => code !== null && CODES[code]?.outcome === 'stop'

/** Why it did not arrive, for the instructor. */
export const wordsFor = (code: number | null): string =>
  code === null ? 'The text service could not deliver it' : (CODES[code]?.words ?? `The text service could not deliver it (${code})`)

const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** What a failed call means for the message: an HTTP status with Twilio's code, or a broken connection. */
export function failureOf(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error
  const { status, code, retryAfter } = error as { status?: unknown; code?: unknown; retryAfter?: unknown }
  if (typeof status !== 'number') {
    const outcome = NOT_CONNECTED.has(String(code)) ? 'later' : 'unknown'
    return new SendFailure(outcome, 'The text service did not answer', { cause: error })
  }
  const twilios = typeof code === 'number' ? code : null
  return new SendFailure(outcomeOf(status, twilios), twilios === null ? `The text service answered ${status}` : wordsFor(twilios), {
    code: twilios,
    status,
    retryAfterSeconds: status === 429 ? secondsIn(retryAfter) : 0,
    cause: error,
  })
}

/** A `Retry-After` is a number of seconds or a date. A longer one is not believed: after a minute the provider may say it again. */
const LONGEST_RETRY_AFTER_SECONDS = 60
function secondsIn(retryAfter: unknown): number {
  if (typeof retryAfter !== 'string') return 0
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now().getTime()) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, seconds), LONGEST_RETRY_AFTER_SECONDS)
}

function outcomeOf(status: number, code: number | null): Outcome {
  if (status >= 500 || status < 400) return 'unknown'
  if (status === 429) return 'slow-down'
  if (status === 401 || status === 403) return CODES[code ?? 0]?.outcome ?? 'stop'
  return CODES[code ?? 0]?.outcome ?? 'refused'
}
