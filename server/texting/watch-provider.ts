import { SERVICE_ERROR_MESSAGES } from '@tatami/contract/message-types'
import type { SMS_ERRORS, SMS_STATES } from '@tatami/contract/texting'
import { now } from '../lib/clock.ts'
import { type Provider, SendFailure } from './providers/provider.ts'

type State = (typeof SMS_STATES)[number]
export type Found = { state: State; error: string | null; errorType: (typeof SMS_ERRORS)[number] | null }
/** A provider, and what the last check or send found of it. */
export type Watched = { provider: Provider; found: () => Found }

const READY: Found = { state: 'ready', error: null, errorType: null }
const UNKNOWN: Found = { state: 'checking', error: null, errorType: null }
const failing = (state: State, errorType: keyof typeof SERVICE_ERROR_MESSAGES): Found => ({
  state,
  error: SERVICE_ERROR_MESSAGES[errorType],
  errorType,
})

/** Checks cost the provider a call: whoever asks again sooner gets the same answer. */
const CHECKED_FOR_MS = 3000

/** What a failure says about the service; null when it says something about one text only. */
function foundIn({ outcome, code, status }: SendFailure): Found | null {
  if (status === null) return failing('service_unreachable', 'network')
  if (status === 401 || status === 403 || code === 20003) return failing('service_unavailable', 'authentication')
  if (status >= 500) return failing('service_unavailable', 'connectivity')
  return outcome === 'stop' || status === 404 ? failing('service_unavailable', 'initialization') : null
}

/** Notes what each call to the provider finds. */
export function watched(provider: Provider): Watched {
  let found = provider.service === 'none' ? failing('disconnected', 'connectivity') : provider.service === 'simulator' ? READY : UNKNOWN
  const note = async <T>(call: Promise<T>): Promise<T> => {
    try {
      const answer = await call
      found = READY
      return answer
    } catch (error) {
      if (provider.service !== 'none' && error instanceof SendFailure) found = foundIn(error) ?? found
      throw error
    }
  }
  let check = { answer: Promise.resolve(), goodUntil: -Infinity }
  const checkOnce = () => {
    if (now().getTime() < check.goodUntil) return check.answer
    const answer = note(provider.check()).finally(() => (check.goodUntil = now().getTime() + CHECKED_FOR_MS))
    check = { answer, goodUntil: Infinity }
    return answer
  }
  return { provider: { ...provider, send: (text) => note(provider.send(text)), check: checkOnce }, found: () => found }
}
