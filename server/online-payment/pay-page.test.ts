import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { now } from '../lib/clock.ts'
import { setClock } from '../test/clock.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { startServerWithStripe } from '../test/server-with-stripe.ts'
import { TEST_KEY } from '../test/stripe/fake-stripe.ts'

const { server, stripe, ...online } = await startServerWithStripe()
const { setFaults, performDueTasks, createFamily, createLink } = online
const { openPage, pressPay, returnPathOf, balanceOf, readActions } = online
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

test('a payer sees what is owed, pays on the page of Stripe, and the month is paid', async () => {
  const { sensei, leo } = await createFamily()
  const path = await createLink(sensei, leo.id)
  const { status, html, headers } = await openPage(path)
  expect(status).toBe(200)
  expect(html).toContain('Leo: ')
  expect(html).toContain('Pay $95.00')
  expect(html).toContain('Test mode')
  expect(html).not.toMatch(/Diaz|ana@example/)
  expect(headers['cache-control']).toBe('no-store')
  const { status: pressStatus, sessionId } = await pressPay(path)
  expect(pressStatus).toBe(303)
  stripe.pay(sessionId)
  const returnPage = await openPage(returnPathOf(sessionId))
  expect(returnPage.html).toContain('Your payment of $95.00 has arrived.')
  expect(returnPage.html).toContain('Nothing to pay right now.')
  expect(await balanceOf(sensei, leo.id)).toBe(0)
  const { body: payments } = await sensei.get('/online-payments')
  expect(payments).toMatchObject([
    { state: 'paid', amount: 95, payer_name: 'Ana Diaz', student_ids: [leo.id], paid_twice: 0 },
  ])
  const { body: account } = await sensei.get(`/students/${leo.id}/account`)
  expect(account.lines[0]).toMatchObject({ method: 'online', amount: -95, created_by: null })
  expect(stripe.violations).toEqual([])
})

test('a student without a payer has a link of their own', async () => {
  const { sensei, mia } = await createFamily()
  const { html } = await openPage(await createLink(sensei, mia.id))
  expect(html).toContain('Pay $80.00')
})

/** Although the payer is on the page of Stripe. */
const takeCash = (sensei: Pick<Sensei, 'post'>, student_id: string) =>
  sensei.post('/payments', { student_id, amount: 95, method: 'cash', even_if_on_its_way: true })

describe('never twice', () => {
  test('two presses and two links give the same checkout', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    const otherPath = await createLink(sensei, leo.id)
    const [first, second, third] = [
      ...(await Promise.all([pressPay(path), pressPay(path)])),
      await pressPay(otherPath),
    ]
    expect(new Set([first?.sessionId, second?.sessionId, third?.sessionId]).size).toBe(1)
  })

  test('if the amount has changed since the page was opened, the payer looks again', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    await sensei.post('/charges', { student_ids: [leo.id], kind: 'equipment', amount: 20 })
    const { status, html } = await pressPay(path, '9500')
    expect(status).toBe(200)
    expect(html).toContain('The amount has changed from $95.00 to $115.00')
    expect((await pressPay(path, 'abc')).html).not.toContain('has changed')
    expect((await pressPay(path)).status).toBe(303)
  })

  test('an open checkout ends when something else is owed', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    const { sessionId } = await pressPay(path)
    await sensei.post('/charges', { student_ids: [leo.id], kind: 'equipment', amount: 20 })
    const { sessionId: nextSessionId } = await pressPay(path)
    expect(nextSessionId).not.toBe(sessionId)
    expect(() => stripe.pay(sessionId)).toThrow('expired')
    stripe.pay(nextSessionId)
    await openPage(returnPathOf(nextSessionId))
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('what was paid in cash meanwhile becomes credit, and the school is told', async () => {
    const { sensei, leo } = await createFamily()
    const { sessionId } = await pressPay(await createLink(sensei, leo.id))
    await takeCash(sensei, leo.id)
    stripe.pay(sessionId)
    await openPage(returnPathOf(sessionId))
    expect(await balanceOf(sensei, leo.id)).toBe(-95)
    expect((await sensei.get('/online-payments')).body).toMatchObject([{ paid_twice: 95 }])
  })

  test('a checkout that is open while the debt is paid in cash ends before it can be paid', async () => {
    const { sensei, leo } = await createFamily()
    const { sessionId } = await pressPay(await createLink(sensei, leo.id))
    await takeCash(sensei, leo.id)
    setClock(new Date(now().getTime() + 60_000).toISOString())
    await performDueTasks()
    expect(() => stripe.pay(sessionId)).toThrow('expired')
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('a bank debit on its way cannot be paid again, and settles days later', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    const { sessionId } = await pressPay(path)
    stripe.pay(sessionId, 'usBankAccount')
    const returnPage = await openPage(returnPathOf(sessionId))
    expect(returnPage.html).toContain('is on its way')
    expect((await openPage(path)).html).toContain('Nothing else to pay.')
    expect(await balanceOf(sensei, leo.id)).toBe(95)
    setClock(new Date(now().getTime() + 5 * 86_400_000).toISOString())
    stripe.advance()
    await performDueTasks()
    const { body: payments } = await sensei.get('/online-payments')
    expect(payments).toMatchObject([{ state: 'paid', amount: 95 }])
  })

  test('a bank debit that fails is owed again', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    const { sessionId } = await pressPay(path)
    stripe.pay(sessionId, 'usBankAccount_insufficientFunds')
    await openPage(returnPathOf(sessionId))
    setClock(new Date(now().getTime() + 5 * 86_400_000).toISOString())
    stripe.advance()
    await performDueTasks()
    expect((await sensei.get('/online-payments')).body).toMatchObject([
      { state: 'declined', decline_reason: 'Not enough money in the account' },
    ])
    expect((await pressPay(path)).status).toBe(303)
  })
})

describe('never lost', () => {
  test.each([
    ...(['cut-after', 'broken-after', 'broken-late', 'broken-before'] as const),
    ...(['broken-stored', 'cut-before', 'rate-limited', 'key-in-use', 'silent'] as const),
  ])('after the fault %s at the start of a checkout, the next press pays once', async (fault) => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    const operations = ['PostCustomers', 'PostCheckoutSessions']
    setFaults(({ operation }) => (operations.includes(operation) ? fault : null))
    await pressPay(path)
    setFaults(({ operation }) => (operation === 'PostCheckoutSessions' ? fault : null))
    const { status, html } = await pressPay(path)
    expect(status).toBe(200)
    expect(html).toContain('The payment service is not responding')
    setFaults(() => null)
    const { sessionId } = await pressPay(path)
    stripe.pay(sessionId)
    await openPage(returnPathOf(sessionId))
    expect(await balanceOf(sensei, leo.id)).toBe(0)
    expect((await sensei.get('/online-payments')).body).toHaveLength(1)
  })

  test('a checkout that Stripe could not open in its first minute does not block the payer', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    setFaults(({ operation }) => (operation === 'PostCheckoutSessions' ? 'cut-before' : null))
    await pressPay(path)
    setFaults(() => null)
    setClock(new Date(now().getTime() + 120_000).toISOString())
    const { status, sessionId } = await pressPay(path)
    expect(status).toBe(303)
    stripe.pay(sessionId)
    await openPage(returnPathOf(sessionId))
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('two presses at once, of which one gets an error, lead to the same page', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    let calls = 0
    setFaults(({ operation }) => {
      if (operation !== 'PostCheckoutSessions') return null
      calls += 1
      return calls === 1 ? 'broken-late' : null
    })
    await pressPay(path)
    const presses = await Promise.all([pressPay(path), pressPay(path), pressPay(path)])
    expect(new Set(presses.map(({ sessionId }) => sessionId)).size).toBe(1)
    stripe.pay(presses[0].sessionId)
    await openPage(returnPathOf(presses[0].sessionId))
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('a payment whose webhook gets lost is known within half a minute', async () => {
    const { sensei, leo } = await createFamily()
    const { sessionId } = await pressPay(await createLink(sensei, leo.id))
    stripe.pay(sessionId)
    setClock(new Date(now().getTime() + 25_000).toISOString())
    await performDueTasks()
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('a payer who never comes back has paid all the same', async () => {
    const { sensei, leo } = await createFamily()
    const { sessionId } = await pressPay(await createLink(sensei, leo.id))
    stripe.pay(sessionId)
    setClock(new Date(now().getTime() + 90_000).toISOString())
    await performDueTasks()
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('two servers that settle at the same time pay once', async () => {
    const { sensei, leo } = await createFamily()
    const { sessionId } = await pressPay(await createLink(sensei, leo.id))
    stripe.pay(sessionId)
    const path = returnPathOf(sessionId)
    setClock(new Date(now().getTime() + 90_000).toISOString())
    await Promise.all([performDueTasks(), performDueTasks(), openPage(path), openPage(path)])
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('an abandoned checkout expires, and can be begun again', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    const { sessionId } = await pressPay(path)
    setClock(new Date(now().getTime() + 40 * 60_000).toISOString())
    stripe.advance()
    await performDueTasks()
    expect((await openPage(returnPathOf(sessionId))).html).toContain('was not finished')
    const { status, sessionId: nextSessionId } = await pressPay(path)
    expect(status).toBe(303)
    expect(nextSessionId).not.toBe(sessionId)
  })
})

describe('webhooks', () => {
  const webhooks = stripe.account().webhooks
  async function deliver(dojoId: string, change: { secret?: string; secondsAhead?: number } = {}) {
    const { signatureHeader } = await import('../test/stripe/webhooks.ts')
    const event = webhooks.events.findLast(({ type }) => type === 'checkout.session.completed')
    const endpoint = [...stripe.account().store.webhook_endpoint.values()].find(({ url }) =>
      url.endsWith(dojoId),
    )
    const payload = JSON.stringify(event)
    const timestamp = Math.floor(now().getTime() / 1000) + (change.secondsAhead ?? 0)
    const secret = change.secret ?? endpoint?.secret ?? ''
    const { statusCode } = await server.http.inject({
      method: 'POST',
      url: `/api/stripe/webhooks/${dojoId}`,
      headers: {
        'content-type': 'application/json',
        'stripe-signature': signatureHeader(payload, secret, timestamp),
      },
      payload,
    })
    return statusCode
  }

  test('say that a payment should be asked about, also if they come twice', async () => {
    const { sensei, leo } = await createFamily()
    const { sessionId } = await pressPay(await createLink(sensei, leo.id))
    stripe.pay(sessionId)
    const statuses = [await deliver(sensei.dojoId), await deliver(sensei.dojoId)]
    expect(statuses).toEqual([200, 200])
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`select event_id from stripe_events`),
    )
    expect(rows).toHaveLength(1)
    await performDueTasks()
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('are refused without the signature of Stripe, and if dated ahead', async () => {
    const { sensei, leo } = await createFamily()
    const { sessionId } = await pressPay(await createLink(sensei, leo.id))
    stripe.pay(sessionId)
    expect(await deliver(sensei.dojoId, { secret: 'whsec_forged' })).toBe(400)
    expect(await deliver(sensei.dojoId, { secondsAhead: 400 })).toBe(400)
    expect(await deliver('00000000-0000-4000-8000-000000000000')).toBe(404)
    const otherSensei = await server.createSensei()
    expect(await deliver(otherSensei.dojoId)).toBe(404)
  })
})

test('a wrong link says so in words', async () => {
  const { sensei, leo } = await createFamily()
  const path = await createLink(sensei, leo.id)
  for (const wrongPath of ['/pay/x', `${path}x`, `/pay/${sensei.dojoId}.${'a'.repeat(43)}`]) {
    const { status, html } = await openPage(wrongPath)
    expect(status).toBe(404)
    expect(html).toContain('This link is not valid.')
  }
})

test('a copy of the database takes no payments until an owner confirms', async () => {
  const { sensei, leo } = await createFamily()
  const path = await createLink(sensei, leo.id)
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute(sql`update stripe_accounts set server_identity = 'elsewhere'`),
  )
  expect((await sensei.get('/online-payment')).body.awaits_confirmation).toBe(true)
  expect((await pressPay(path)).html).toContain('Online payment is turned off')
  const confirm = (current_password: string) =>
    sensei.post('/online-payment/confirmation', { current_password })
  expect((await confirm('wrong')).status).toBe(422)
  expect((await confirm(PASSWORD)).body.awaits_confirmation).toBe(false)
  expect(await readActions(sensei)).toEqual(['Stripe account saved', 'online payment confirmed'])
  expect((await pressPay(path)).status).toBe(303)
})

describe('the key', () => {
  const save = (sensei: Sensei, secret_key: string) =>
    sensei.put('/online-payment/account', { secret_key, current_password: PASSWORD })

  test('is never returned, and its missing permissions are named', async () => {
    const sensei = await server.createSensei()
    stripe.account().forbiddenOperations.add('GetDisputes')
    const { body } = await save(sensei, TEST_KEY)
    stripe.account().forbiddenOperations.clear()
    expect(body.account).toMatchObject({
      key_ending: 'rk_test_…4242',
      is_live: false,
      is_unrestricted: false,
      state: 'ready',
      missing_permissions: ['Disputes'],
      has_webhook: true,
    })
    expect(JSON.stringify(body)).not.toContain(TEST_KEY)
  })

  test.each([
    ['pk_test_1234567890', 'This is a publishable key. A restricted key starts with rk_'],
    ['hello', 'A restricted key starts with rk_live_ or rk_test_'],
    ['rk_test_unknown_key', 'Stripe does not accept this key. Copy it again.'],
  ])('%s is refused', async (secret_key, detail) => {
    const sensei = await server.createSensei()
    const { status, body } = await save(sensei, secret_key)
    expect([status, body.detail]).toEqual([422, detail])
    expect((await sensei.get('/online-payment')).body.account).toBeNull()
  })

  test('is deleted with the password, and links are turned off', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    const remove = (current_password: string) =>
      sensei.post('/online-payment/account/remove', { current_password })
    expect((await remove('wrong')).status).toBe(422)
    expect((await remove(PASSWORD)).body.account).toBeNull()
    expect((await openPage(path)).html).toContain('Online payment is turned off')
    expect((await sensei.post('/pay-links', { student_id: leo.id })).status).toBe(409)
  })

  test('is deleted after what was paid is recorded, and ends the open pages of Stripe', async () => {
    const { sensei, leo, mia } = await createFamily()
    const paidCheckout = await pressPay(await createLink(sensei, leo.id))
    const openCheckout = await pressPay(await createLink(sensei, mia.id))
    stripe.pay(paidCheckout.sessionId)
    await sensei.post('/online-payment/account/remove', { current_password: PASSWORD })
    expect(await balanceOf(sensei, leo.id)).toBe(0)
    expect(await balanceOf(sensei, mia.id)).toBe(80)
    const { 'checkout.session': sessions } = stripe.account().store
    expect(sessions.get(openCheckout.sessionId)?.status).toBe('expired')
  })
})
