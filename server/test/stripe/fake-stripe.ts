/** A local server that responds like Stripe, and can fail in the ways that Stripe fails. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { completeSession, expireSessions } from './checkout-sessions.ts'
import { invalidRequest, StripeFailure } from './failure.ts'
import { createIdempotency, KEY_IN_USE, type StripeReply } from './idempotency.ts'
import { OPERATIONS } from './operations.ts'
import { paymentPage } from './payment-page.ts'
import { settleDebits } from './payment-intents.ts'
import { isTestMethod } from './payment-methods.ts'
import { addRefund, closeDispute, failRefund, openDispute } from './refunds.ts'
import { createStore } from './store.ts'
import { readStripeCall, type StripeCall } from './stripe-contract.ts'
import { createWebhooks, type DeliveryOptions } from './webhooks.ts'

/** `cut` breaks the connection, `broken` is a 500 error. `after`: Stripe has done the work. `late`:
 *  Stripe does it a little later. */
export type StripeFault =
  | 'cut-before'
  | 'cut-after'
  | 'broken-before'
  | 'broken-after'
  | 'cut-late'
  | 'broken-late'
  /** A 500 error that Stripe stores for the idempotency key. Nothing is done. */
  | 'broken-stored'
  | 'rate-limited'
  /** Another request with the same idempotency key is still running. */
  | 'key-in-use'
  /** The work is done, but the response never comes. */
  | 'silent'

export const TEST_KEY = 'rk_test_51TatamiTestsOnly4242'

export type FakeAccount = ReturnType<typeof createAccount>

function createAccount(key: string, deliveries: DeliveryOptions) {
  const livemode = key.includes('_live_')
  const webhooks = createWebhooks(livemode, deliveries)
  const store = createStore(livemode, (type, object) => webhooks.emit(store, type, object))
  return {
    key,
    id: `acct_${livemode ? 'live' : 'test'}`,
    store,
    webhooks,
    idempotency: createIdempotency(),
    /** Beginnings of operations that the restricted key may not call, such as `PostRefunds`. */
    forbiddenOperations: new Set<string>(),
  }
}

const RATE_LIMITED = new StripeFailure(429, { code: 'rate_limit', message: 'Too many requests' })

export type FakeStripeOptions = {
  faultOf?: (call: StripeCall) => StripeFault | null
  /** How long `silent` takes. */
  silenceMs?: number
  /** After how long late work is done. */
  lateMs?: number
  deliveries?: DeliveryOptions
}

/** `violations` lists requests that broke Stripe's contract, which are refused, too. */
export async function startFakeStripe({
  faultOf = () => null,
  silenceMs = 90_000,
  lateMs = 50,
  deliveries = {},
}: FakeStripeOptions = {}) {
  const accounts = new Map([[TEST_KEY, createAccount(TEST_KEY, deliveries)]])
  const violations: string[] = []
  const calls: StripeCall[] = []
  let origin = ''

  const pageUrl = (sessionId: string) => `${origin}/c/pay/${sessionId}`

  function accountOf({ headers }: IncomingMessage): FakeAccount {
    const key = headers.authorization?.replace(/^Bearer /, '') ?? ''
    const account = accounts.get(key)
    if (!account)
      throw new StripeFailure(401, { message: `Invalid API Key provided: ${key.slice(0, 8)}***` })
    return account
  }

  function readCall(request: IncomingMessage, body: string): StripeCall {
    const call = readStripeCall(request.method ?? '', request.url ?? '', body, request.headers)
    if (!call) throw new StripeFailure(404, { message: `Unrecognized request URL ${request.url}` })
    calls.push(call)
    violations.push(...call.violations)
    const [violation] = call.violations
    if (violation !== undefined) throw invalidRequest(violation, 'parameter_unknown')
    return call
  }

  function perform(account: FakeAccount, { operation, ids, form }: StripeCall): object {
    if (account.forbiddenOperations.has(operation))
      throw new StripeFailure(403, {
        message: 'The provided key does not have the required permissions for this endpoint.',
      })
    const { store, webhooks, id } = account
    const work = OPERATIONS[operation]
    if (!work) throw new Error(`No operation ${operation}`)
    const accountDetails = { id, email: 'owner@example.com' }
    return work({
      store,
      events: webhooks.events,
      account: accountDetails,
      id: ids[0] ?? '',
      form,
      pageUrl,
    })
  }

  const replyOf = (account: FakeAccount, call: StripeCall): StripeReply & { isKept: boolean } => {
    try {
      const body = structuredClone(perform(account, call))
      return { status: 200, body, isKept: true }
    } catch (failure) {
      if (!(failure instanceof StripeFailure)) throw failure
      const body = { error: failure.fields }
      return { status: failure.status, body, isKept: failure.isRemembered }
    }
  }

  const INTERNAL_ERROR: StripeReply = {
    status: 500,
    body: { error: { type: 'api_error', message: 'An unknown error occurred' } },
  }

  /** Performs a call, and remembers the reply for its idempotency key. */
  function performOnce(
    { account, call, key }: { account: FakeAccount; call: StripeCall; key: string | undefined },
    fault: StripeFault | null,
  ): StripeReply {
    const { idempotency } = account
    const { isKept, ...reply } =
      fault === 'broken-stored' ? { ...INTERNAL_ERROR, isKept: true } : replyOf(account, call)
    const finalReply = fault === 'broken-after' ? INTERNAL_ERROR : reply
    if (key !== undefined && isKept) idempotency.remember(key, finalReply)
    else if (key !== undefined) idempotency.forget(key)
    return finalReply
  }

  const send = (response: ServerResponse, { status, body }: StripeReply, isReplayed = false) =>
    void response
      .writeHead(status, {
        'content-type': 'application/json',
        'request-id': `req_${crypto.randomUUID().slice(0, 14)}`,
        ...(isReplayed && { 'idempotent-replayed': 'true' }),
      })
      .end(JSON.stringify(body))

  async function answer(request: IncomingMessage, response: ServerResponse, body: string) {
    const account = accountOf(request)
    const call = readCall(request, body)
    const fault = faultOf(call)
    if (fault === 'cut-before') return void response.destroy()
    if (fault === 'broken-before') return send(response, INTERNAL_ERROR)
    if (fault === 'rate-limited') throw RATE_LIMITED
    if (fault === 'key-in-use') throw KEY_IN_USE
    const key = request.headers['idempotency-key']?.toString()
    const requestText = `${request.method} ${request.url} ${body}`
    const storedReply = key === undefined ? undefined : account.idempotency.find(key, requestText)
    if (key !== undefined && !storedReply) account.idempotency.begin(key, requestText)
    if (!storedReply && (fault === 'cut-late' || fault === 'broken-late')) {
      setTimeout(() => performOnce({ account, call, key }, null), lateMs).unref()
      return fault === 'cut-late' ? void response.destroy() : send(response, INTERNAL_ERROR)
    }
    const reply = storedReply ?? performOnce({ account, call, key }, fault)
    if (fault === 'silent') await sleep(silenceMs, undefined, { ref: false })
    if (fault === 'cut-after' || fault === 'silent') return void response.destroy()
    return send(response, reply, storedReply !== undefined)
  }

  const findSession = (sessionId: string) => {
    for (const account of accounts.values()) {
      const session = account.store['checkout.session'].get(sessionId)
      if (session) return { account, session }
    }
    return undefined
  }

  /** The page on which a payer enters the card. */
  function servePaymentPage(request: IncomingMessage, response: ServerResponse, body: string) {
    const sessionId = /^\/c\/pay\/(\w+)/.exec(request.url ?? '')?.[1] ?? ''
    const checkout = findSession(sessionId)
    if (!checkout) return void response.writeHead(404).end()
    const { account, session } = checkout
    const html = (message: string) =>
      void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(paymentPage(session, message))
    const method = new URLSearchParams(body).get('method') ?? ''
    if (request.method !== 'POST' || !isTestMethod(method)) return html('')
    try {
      completeSession(account.store, sessionId, method)
    } catch (failure) {
      if (failure instanceof StripeFailure) return html(failure.message)
      throw failure
    }
    const location = session.success_url?.replaceAll('{CHECKOUT_SESSION_ID}', sessionId) ?? '/'
    return void response.writeHead(303, { location }).end()
  }

  const respond = async (request: IncomingMessage, response: ServerResponse, body: string) => {
    try {
      if (request.url?.startsWith('/c/pay/')) return servePaymentPage(request, response, body)
      return await answer(request, response, body)
    } catch (failure) {
      if (!(failure instanceof StripeFailure)) throw failure
      return send(response, { status: failure.status, body: { error: failure.fields } })
    }
  }

  const server = createServer((request, response) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        body += chunk
      })
      .on('end', () => void respond(request, response, body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const accountWithKey = (key: string): FakeAccount => {
    const account = accounts.get(key) ?? createAccount(key, deliveries)
    accounts.set(key, account)
    return account
  }

  return {
    url: origin,
    violations,
    /** Every request that named an operation. */
    calls,
    /** The account of a key. An unknown key gets a new account. */
    account: (key = TEST_KEY) => accountWithKey(key),
    /** The key no longer works. */
    revoke: (key: string) => void accounts.delete(key),
    /** What the payer does on the hosted page. Throws the decline. */
    pay: (sessionId: string, method: Parameters<typeof completeSession>[2] = 'visa') => {
      const checkout = findSession(sessionId)
      if (!checkout) throw new Error(`No session ${sessionId}`)
      return completeSession(checkout.account.store, sessionId, method)
    },
    /** Settles bank debits and expires sessions after the clock has moved. */
    advance: () => {
      for (const { store } of accounts.values()) {
        settleDebits(store)
        expireSessions(store)
      }
    },
    /** What the owner does in Stripe's dashboard. */
    refundInDashboard: (intentId: string, cents: number) =>
      addRefund(accountWithKey(TEST_KEY).store, {
        charge: null,
        payment_intent: intentId,
        cents,
        metadata: {},
        reason: null,
      }),
    failRefund: (refundId: string) => failRefund(accountWithKey(TEST_KEY).store, refundId),
    openDispute: (chargeId: string) => openDispute(accountWithKey(TEST_KEY).store, chargeId),
    closeDispute: (disputeId: string, status: 'won' | 'lost') =>
      closeDispute(accountWithKey(TEST_KEY).store, disputeId, status),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
