import { SERVICE_FAILURES } from '@tatami/contract/message-words'
import type { SMS_ERRORS, SMS_STATES } from '@tatami/contract/text-service'
import { type Provider, SendFailure } from './provider.ts'

type State = (typeof SMS_STATES)[number]
export type Found = { state: State; error: string | null; errorType: (typeof SMS_ERRORS)[number] | null }
/** A provider, and what the last check or send found of it. */
export type Watched = { provider: Provider; found: () => Found }

const READY: Found = { state: 'ready', error: null, errorType: null }
const UNKNOWN: Found = { state: 'checking', error: null, errorType: null }
const failing = (state: State, errorType: keyof typeof SERVICE_FAILURES): Found => ({
  state,
  error: SERVICE_FAILURES[errorType],
  errorType,
})

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
  return { provider: { ...provider, send: (text) => note(provider.send(text)), check: () => note(provider.check()) }, found: () => found }
}
