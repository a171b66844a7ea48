import type { TrialOfferForm } from '@tatami/contract/trials/trials'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { afterAll, beforeEach, expect } from 'vitest'
import { setSecretsKey } from '../accounts/sealed-secrets.ts'
import { createMailer } from '../lib/mail.ts'
import { createContext } from '../online-payment/stripe-account.ts'
import { performDueTasks } from '../online-payment/worker.ts'
import { SETTLE_TRIAL_PAYMENTS } from '../trials/settle-payment.ts'
import { setClock } from './clock.ts'
import { PASSWORD } from './fixtures.ts'
import { setTestSecretsKey } from './own-twilio.ts'
import { startFakeStripe, type StripeFault, TEST_KEY } from './stripe/fake-stripe.ts'
import type { StripeCall } from './stripe/stripe-contract.ts'
import { MONDAY_MORNING, startServerWithTrials, WEDNESDAY } from './trial-dojo.ts'

const PUBLIC_URL = 'https://tatami.test'
const throwError = (error: unknown) => {
  throw error
}

/** A server on which visitors book trials for $20, and pay them through a fake Stripe. */
export async function startServerWithPaidTrials() {
  let faultOf: (call: StripeCall) => StripeFault | null = () => null
  const stripe = await startFakeStripe({ faultOf: (call) => faultOf(call), silenceMs: 50 })
  afterAll(stripe.close)
  setTestSecretsKey()
  afterAll(() => setSecretsKey(undefined))
  beforeEach(() => {
    faultOf = () => null
  })
  const trials = await startServerWithTrials({ stripeApiUrl: stripe.url })
  const { server, mailServer, createDojo, open, book } = trials
  const mailer = createMailer(mailServer.smtpUrl, 'Tatami <no-reply@tatami.test>', throwError)
  const settings = { publicUrl: PUBLIC_URL, stripeApiUrl: stripe.url }
  const context = createContext(server.db, settings, mailer.send)

  async function createPaidDojo(offer: Partial<TrialOfferForm> = {}) {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { price: 20, ...offer } })
    const account = { secret_key: TEST_KEY, current_password: PASSWORD }
    const { status } = await dojo.sensei.put('/online-payment/account', account)
    expect(status).toBe(200)
    return dojo
  }
  type Dojo = Awaited<ReturnType<typeof createPaidDojo>>

  /** Sends the form. Returns the path of the page with the button for paying. */
  async function requestTrial(dojo: Dojo, form: Record<string, string> = {}, address?: string) {
    const { status, headers } = await book(dojo, WEDNESDAY, form, address)
    expect(status).toBe(303)
    return String(headers.location)
  }

  /** Opens Stripe's page. Returns the id of its session. */
  async function openStripe(payPath: string): Promise<string> {
    const { headers } = await open(payPath.replace('/trial/pay?', '/trial/checkout?'))
    return mustExist(String(headers.location).split('/').at(-1), 'A session')
  }

  return {
    ...trials,
    stripe,
    createPaidDojo,
    requestTrial,
    openStripe,
    setFaults: (newFaultOf: typeof faultOf) => {
      faultOf = newFaultOf
    },
    sessionOf: (sessionId: string) =>
      mustExist(stripe.account().store['checkout.session'].get(sessionId), 'A session'),
    refundCount: () => stripe.account().store.refund.size,
    listTrials: async ({ sensei }: Dojo) =>
      (await sensei.get(`/trials?from=${WEDNESDAY}&until=2027-03-31`)).body,
    /** What the servers do every few seconds. Failures of Stripe are tried again later. */
    performDueTasks: () => performDueTasks(context, throwError, [SETTLE_TRIAL_PAYMENTS]),
  }
}

const MINUTE_MS = 60_000

/** A moment of the Monday on which the visitors book. */
export const minutesLater = (minutes: number): string =>
  new Date(Date.parse(MONDAY_MORNING) + minutes * MINUTE_MS).toISOString()
