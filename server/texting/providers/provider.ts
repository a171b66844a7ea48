/** A text on its way out. The ids are ours: only the simulator needs them. */
export type Outgoing = { dojoId: string; messageId: string; to: string; text: string }
/** The provider's statuses, as far as they differ for us. */
export type Fate = 'accepted' | 'sent' | 'delivered' | 'undelivered' | 'failed'
/** How a message stands at the provider, under the provider's own id. */
export type Standing = { id: string; fate: Fate; errorCode: number | null }

export type Provider = {
  service: 'twilio_sms' | 'simulator' | 'none'
  /** The number that texts come from, where there is one. */
  from: string | null
  /** Throws a SendFailure. */
  send: (text: Outgoing) => Promise<Standing>
  /** Messages to this phone with these words, created since. Throws when the provider cannot answer. */
  find: (text: Outgoing, since: Date) => Promise<Standing[]>
  standingOf: (text: Outgoing, id: string) => Promise<Standing>
  /** Throws a SendFailure when texts cannot be sent. */
  check: () => Promise<void>
  /** Whether statuses come by themselves, or have to be asked for. */
  calls: boolean
}

/**
 * `unknown`: it may have been sent. `later`: it was not; try again. `slow-down`: not sent, too fast.
 * `stop`: not sent, and no other would be. `refused`: this one never will be.
 */
export type Outcome = 'unknown' | 'later' | 'slow-down' | 'stop' | 'refused'

type FailureDetails = { code?: number | null; status?: number | null; retryAfterSeconds?: number; cause?: unknown }

export class SendFailure extends Error {
  override name = 'SendFailure'
  readonly outcome: Outcome
  /** The provider's own, null where it did not answer. */
  readonly code: number | null
  readonly status: number | null
  /** How long the provider asked to be left alone, 0 where it did not. */
  readonly retryAfterSeconds: number
  constructor(outcome: Outcome, words: string, { code = null, status = null, retryAfterSeconds = 0, cause }: FailureDetails = {}) {
    super(words, { cause })
    this.outcome = outcome
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No texts can be sent, on purpose. */
export const NO_PROVIDER: Provider = {
  service: 'none',
  from: null,
  calls: true,
  send: () => Promise.reject(new SendFailure('stop', 'No text service is set up')),
  find: () => Promise.resolve([]),
  standingOf: () => Promise.reject(new SendFailure('stop', 'No text service is set up')),
  check: () => Promise.reject(new SendFailure('stop', 'No text service is set up')),
}
