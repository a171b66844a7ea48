import { describe, expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { server, stripe, clientOf, readHome, openPage, pressPay, setFaults } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

async function createPayerWithLink() {
  const { sensei, students, ana } = await autopay.createPayer('2026-03-10', { Leo: 95 })
  const leo = students[0] ?? ana
  return { sensei, ana, leo, link: await autopay.createLink(sensei, leo.id) }
}
const sessionIdIn = (url: string): string => url.split('/').at(-1) ?? ''
const sessionOf = (url: string) => stripe.account().store['checkout.session'].get(sessionIdIn(url))

describe('a payer who has paid at Stripe without coming back', () => {
  test('sees the payment when they open the link again', async () => {
    const { link } = await createPayerWithLink()
    stripe.pay((await pressPay(link)).sessionId)
    const { html } = await openPage(link)
    expect(html).toContain('Your payment of $95.00 has arrived.')
    expect(html).not.toContain('<button>Pay')
  })

  test('is not sent to the used page of Stripe by Pay', async () => {
    const { ana, link } = await createPayerWithLink()
    stripe.pay((await pressPay(link)).sessionId)
    const { statusCode, body } = await server.http.inject({
      method: 'POST',
      url: link,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'shown=9500',
    })
    expect(statusCode).toBe(200)
    expect(body).toContain('Your payment of $95.00 has arrived.')
    expect(await readHome(ana)).toMatchObject({ owed: 0, payments: [{ amount: 95 }] })
  })

  test('is not sent there from home', async () => {
    const { sensei, ana, leo } = await createPayerWithLink()
    const pay = async () => (await clientOf(ana)).post('/payer/pay', { amount: 95 })
    stripe.pay(sessionIdIn((await pay()).body.url))
    const { status, body } = await pay()
    expect([status, body.detail]).toEqual([409, 'You have already paid this. Thank you!'])
    const instructor = await clientOf(sensei)
    expect((await instructor.get(`/students/${leo.id}/account`)).body.balance).toBe(0)
  })

  test('gets the same page of Stripe while Stripe does not respond', async () => {
    const { link } = await createPayerWithLink()
    const first = await pressPay(link)
    setFaults(({ operation }) => (operation.startsWith('Get') ? 'silent' : null))
    const second = await pressPay(link, '9500')
    expect([second.status, second.sessionId]).toEqual([303, first.sessionId])
  })
})

test('a wrong amount is refused while a page of Stripe is open, which stays', async () => {
  const { ana } = await createPayerWithLink()
  const pay = async (amount: number) => (await clientOf(ana)).post('/payer/pay', { amount })
  const { body } = await pay(95)
  expect(await pay(6.5)).toMatchObject({ status: 409 })
  expect(sessionOf(body.url)?.status).toBe('open')
  expect((await pay(95)).body.url).toBe(body.url)
})

describe('autopay that is agreed to together with a payment', () => {
  test.each(['visa', 'usBankAccount'] as const)(
    'is on when the payer comes back after paying with %s',
    async (method) => {
      const { ana } = await createPayerWithLink()
      const { body } = await autopay.agree(ana, { pays_amount: 95 })
      expect(await readHome(ana)).toMatchObject({ autopay: null, is_setting_up: true })
      await autopay.complete(body.url, method)
      expect(await readHome(ana)).toMatchObject({
        autopay: { day_of_month: 1 },
        is_setting_up: false,
      })
    },
  )
})

test('going back from saving a card says that nothing has changed', async () => {
  const { sensei, ana, leo } = await createPayerWithLink()
  await autopay.payInCash(await clientOf(sensei), leo.id, 95)
  await autopay.turnOnAutopay(ana)
  const { body } = await (await clientOf(ana)).post('/payer/method')
  const { pathname, search } = new URL(sessionOf(body.url)?.cancel_url ?? '')
  const { html } = await openPage(pathname + search)
  expect(html).toContain('Nothing has changed.')
  expect(html).not.toContain('We are waiting for Stripe')
  expect(await readHome(ana)).toMatchObject({ method: { last4: '4242' }, is_setting_up: false })
})
