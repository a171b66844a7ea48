import { describe, expect, test, vi } from 'vitest'
import { now } from '../lib/clock.ts'
import { setClock } from '../test/clock.ts'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../test/autopay-payers.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { TEST_KEY } from '../test/stripe/fake-stripe.ts'
import { saveAccount } from './set-up.ts'
import { createStripeProvider } from './stripe.ts'

const online = await startServerWithAutopay()
const { server, createLink, openPage, pressPay, performTasks, queryRows, clientOf } = online
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const LIVE_KEY = 'rk_live_1234567890abcdef'
const FORM = 'application/x-www-form-urlencoded'

describe('without a Stripe account', () => {
  /** A school that tries out online payment, with Leo, who owes $95. */
  async function startSimulation() {
    const sensei = await server.createSensei()
    const leo = await server.createStudent(sensei, { name: 'Leo Diaz', monthly_payment_amount: 95 })
    const { status, body } = await sensei.post('/online-payment/simulation')
    expect(status).toBe(200)
    expect(body.account).toMatchObject({ is_simulated: true, is_live: false, error: null })
    return { sensei, leo, path: await createLink(sensei, leo.id) }
  }

  /** Presses a button on the page that stands in for Stripe's. Returns the page that follows. */
  async function simulate(path: string, answer: string): Promise<string> {
    const { html } = await openPage(path)
    const press = async (url: string, payload: string) => {
      const { headers } = await server.http.inject({
        method: 'POST',
        url,
        headers: { 'content-type': FORM },
        payload,
      })
      return new URL(headers.location ?? '', 'https://tatami.example.org').pathname
    }
    const shownCents = /name="shown" value="(\d+)"/.exec(html)?.[1] ?? ''
    const checkoutPath = await press(path, `shown=${shownCents}`)
    expect((await openPage(checkoutPath)).html).toContain('Simulation: no money is taken')
    return (await openPage(await press(checkoutPath, `answer=${answer}`))).html
  }

  const readAccount = async (sensei: Sensei, id: string) =>
    (await sensei.get(`/students/${id}/account`)).body

  test('a payment is listed as a test, and nothing is paid', async () => {
    const { sensei, leo, path } = await startSimulation()
    expect((await openPage(path)).html).toContain('Simulation: no money is taken')
    const accountBefore = await readAccount(sensei, leo.id)
    const html = await simulate(path, 'card')
    expect(html).toContain('A real payment of $95.00 would have arrived now. Nothing was paid.')
    expect(html).not.toMatch(/Receipt|Thank you|Set up autopay/)
    expect((await sensei.get('/online-payments')).body).toMatchObject([
      { state: 'paid', amount: 95, is_test: true },
    ])
    expect(await readAccount(sensei, leo.id)).toEqual(accountBefore)
    expect((await sensei.get('/receipts')).body).toEqual([])
    // What is owed stays the same, so the owner can try again.
    expect((await openPage(path)).html).toContain('Pay $95.00')
  })

  test('a card can be declined, and a bank payment takes some minutes', async () => {
    const { sensei, path } = await startSimulation()
    expect(await simulate(path, 'decline')).toContain('The card was declined.')
    expect(await simulate(path, 'bank')).toContain('is on its way')
    expect((await openPage(path)).html).toContain('Nothing else to pay.')
    setClock(new Date(now().getTime() + 11 * 60_000).toISOString())
    await performTasks()
    expect((await sensei.get('/online-payments')).body).toMatchObject([{ state: 'paid' }])
  })

  test('families see nothing of it', async () => {
    const { sensei, leo } = await startSimulation()
    expect((await (await clientOf(leo)).get('/payer/home')).body).toEqual({ home: null })
    await sensei.post('/sms/send-bulk-message', {
      message_type: 'monthly_fee',
      custom_message: 'Your fee is due.',
    })
    const texts = await queryRows(sensei, 'select text from messages')
    expect(JSON.stringify(texts)).not.toContain('/pay/')
  })

  test('everything that was tried out is gone when it is turned off', async () => {
    const { sensei, path } = await startSimulation()
    await simulate(path, 'card')
    const { status } = await sensei.post('/online-payment/account/remove', {
      current_password: PASSWORD,
    })
    expect(status).toBe(200)
    expect((await sensei.get('/online-payments')).body).toEqual([])
    expect((await sensei.get('/online-payment/status')).body).toMatchObject({
      is_on: false,
      is_simulated: false,
      has_payments: false,
    })
    expect((await openPage(path)).html).toContain('Online payment is turned off')
  })

  test('a key that is entered afterward starts with customers of its own', async () => {
    const { sensei, leo, path } = await startSimulation()
    await simulate(path, 'card')
    const { status } = await sensei.put('/online-payment/account', {
      secret_key: TEST_KEY,
      current_password: PASSWORD,
    })
    expect(status).toBe(200)
    expect((await sensei.get('/online-payments')).body).toEqual([])
    await online.payOnline(sensei, leo.id)
    expect(await online.balanceOf(sensei, leo.id)).toBe(0)
  })

  test('a school with a key cannot try it out', async () => {
    const { sensei } = await online.createFamily()
    expect((await sensei.post('/online-payment/simulation')).status).toBe(409)
    expect((await sensei.get('/online-payment')).body.account.is_simulated).toBe(false)
  })

  test('a copy of the database simulates nothing', async () => {
    const { sensei, leo, path } = await startSimulation()
    await queryRows(sensei, `update stripe_accounts set server_identity = 'elsewhere'`)
    expect((await openPage(path)).html).toContain('Online payment is turned off')
    expect((await sensei.post('/pay-links', { student_id: leo.id })).status).toBe(409)
  })
})

test('payments with a test key at Stripe itself are no money', () => {
  const standIn = online.stripe.url
  expect(createStripeProvider(TEST_KEY).countsAsMoney).toBe(false)
  expect(createStripeProvider(TEST_KEY, standIn, 'ignore').countsAsMoney).toBe(false)
  expect(createStripeProvider(LIVE_KEY).countsAsMoney).toBe(true)
})

describe('when a live key is saved', () => {
  /** The fake has only test keys, so it pretends that this one is live. */
  const saveLiveKey = (sensei: Sensei) =>
    saveAccount(
      {
        ...online.context,
        failedSignIns: 5,
        createProvider: () => ({
          ...createStripeProvider(TEST_KEY, online.stripe.url),
          isLive: true,
        }),
      },
      { id: sensei.id, dojoId: sensei.dojoId, role: 'instructor' } as Parameters<
        typeof saveAccount
      >[1],
      { secret_key: LIVE_KEY, current_password: PASSWORD },
    )

  test('tried-out payments hold nothing back and are not listed, and test autopay ends', async () => {
    const { sensei, students, ana } = await online.createAutopayer()
    await pressPay(await createLink(sensei, students[0]?.id ?? ''))
    await saveLiveKey(sensei)
    const isLive = 'from online_payment_lines where is_live'
    expect(await queryRows(sensei, `select id ${isLive}`)).toEqual([])
    const agreements = await queryRows(sensei, 'select end_reason from autopay_agreements')
    expect(agreements).toEqual([{ end_reason: 'test_over' }])
    const emails = online.emails.filter(({ to }) => to === ana.email)
    expect(emails.at(-1)?.text).toContain('Your school has only tried out autopay.')
    expect((await (await clientOf(sensei)).get('/online-payments')).body).toEqual([])
  })

  test('a test key cannot replace it', async () => {
    const sensei = await server.createSensei()
    await saveLiveKey(sensei)
    const { status, body } = await sensei.put('/online-payment/account', {
      secret_key: TEST_KEY,
      current_password: PASSWORD,
    })
    expect(status).toBe(409)
    expect(body.detail).toContain('This is a test key')
  })
})
