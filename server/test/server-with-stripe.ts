import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect } from 'vitest'
import { setSecretsKey } from '../accounts/sealed-secrets.ts'
import { createContext } from '../online-payment/stripe-account.ts'
import { performDueTasks } from '../online-payment/worker.ts'
import { PASSWORD } from './fixtures.ts'
import { setTestSecretsKey } from './own-twilio.ts'
import {
  type FakeStripeOptions,
  startFakeStripe,
  type StripeFault,
  TEST_KEY,
} from './stripe/fake-stripe.ts'
import type { TestMethod } from './stripe/payment-methods.ts'
import type { StripeCall } from './stripe/stripe-contract.ts'
import { startTestServer } from './test-server.ts'

export const PUBLIC_URL = 'https://tatami.example.org'
const PAY_PAGE_FORM = 'application/x-www-form-urlencoded'

/** Starts a server that takes payments through a fake Stripe. Both end after the test file. */
export async function startServerWithStripe(options: Omit<FakeStripeOptions, 'faultOf'> = {}) {
  let faultOf: (call: StripeCall) => StripeFault | null = () => null
  const stripe = await startFakeStripe({
    faultOf: (call) => faultOf(call),
    silenceMs: 50,
    ...options,
  })
  afterAll(stripe.close)
  setTestSecretsKey()
  afterAll(() => setSecretsKey(undefined))
  const server = await startTestServer({ publicUrl: PUBLIC_URL, stripeApiUrl: stripe.url })
  const context = createContext(server.db, { publicUrl: PUBLIC_URL, stripeApiUrl: stripe.url })
  beforeEach(() => {
    faultOf = () => null
  })
  type Sensei = Awaited<ReturnType<typeof server.createSensei>>

  /** Creates a school with online payment and two students: Leo ($95), whose mother pays for him,
   *  and Mia ($80), who has no guardian. */
  async function createFamily() {
    const sensei = await server.createSensei()
    const saveReply = await sensei.put('/online-payment/account', {
      secret_key: TEST_KEY,
      current_password: PASSWORD,
    })
    expect(saveReply.status).toBe(200)
    const leo = await server.createStudent(sensei, {
      name: 'Leo Diaz',
      monthly_payment_amount: 95,
    })
    const mia = await server.createStudent(sensei, {
      name: 'Mia Diaz',
      phone_number: '(512) 555-0187',
      monthly_payment_amount: 80,
    })
    const ana = await server.createGuardian(sensei, [], {
      name: 'Ana Diaz',
      students: [{ student_id: leo.id, relation: 'mother', pays: true }],
    })
    return { sensei, leo, mia, ana }
  }

  /** Texts have links only with a live key, which the fake Stripe does not have. */
  const allowLinksInTexts = ({ dojoId }: Pick<Sensei, 'dojoId'>) =>
    server.db.inDojo(dojoId, (tx) => tx.execute(sql`update stripe_accounts set is_live = true`))
  async function createLink(sensei: Sensei, studentId: string): Promise<string> {
    const { status, body } = await sensei.post('/pay-links', { student_id: studentId })
    expect(status).toBe(200)
    return new URL(body.link).pathname
  }
  async function openPage(path: string) {
    const { statusCode, body, headers } = await server.http.inject({ url: path })
    return { status: statusCode, html: body, headers }
  }
  const readShownCents = (html: string): string =>
    /name="shown" value="(\d+)"/.exec(html)?.[1] ?? ''
  async function pressPay(path: string, shownAmount?: string) {
    const { html } = await openPage(path)
    const { statusCode, headers, body } = await server.http.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': PAY_PAGE_FORM },
      payload: `shown=${shownAmount ?? readShownCents(html)}`,
    })
    const location = headers.location ?? ''
    return { status: statusCode, sessionId: location.split('/').at(-1) ?? '', html: body }
  }
  const returnPathOf = (sessionId: string): string =>
    new URL(stripe.account().store['checkout.session'].get(sessionId)?.success_url ?? '').pathname

  return {
    server,
    stripe,
    context,
    setFaults: (newFaultOf: typeof faultOf) => {
      faultOf = newFaultOf
    },
    /** Performs the tasks that a server performs every few seconds. */
    performDueTasks: () =>
      performDueTasks(context, (error) => {
        throw error
      }),
    createFamily,
    allowLinksInTexts,
    createLink,
    openPage,
    readShownCents,
    pressPay,
    returnPathOf,
    /** Pays everything that a student owes, through a pay link. */
    async payOnline(sensei: Sensei, studentId: string, method?: TestMethod) {
      const { sessionId } = await pressPay(await createLink(sensei, studentId))
      stripe.pay(sessionId, method)
      await openPage(returnPathOf(sessionId))
    },
    /** Returns the actions about online payment in the audit log. */
    async readActions(sensei: Sensei): Promise<string[]> {
      const { rows } = await server.db.withoutDojo((tx) =>
        tx.execute<{ action: string }>(sql`
          select action from audit_log where dojo_id = ${sensei.dojoId}
            and (action like 'Stripe%' or action like 'online payment%') order by id`),
      )
      return rows.map(({ action }) => action)
    },
    balanceOf: async (sensei: Sensei, studentId: string): Promise<number> =>
      (await sensei.get(`/students/${studentId}/account`)).body.balance,
  }
}
