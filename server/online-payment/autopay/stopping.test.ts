import { describe, expect, test } from 'vitest'
import { startServerWithAutopay } from '../../test/autopay-payers.ts'
import { deleteCustomer, detachMethod, updateCard } from '../../test/stripe/payment-methods.ts'
import { idOf } from '../../test/stripe/store.ts'

const autopay = await startServerWithAutopay()
const { server, stripe, createPayer, turnOnAutopay, readHome, clientOf, queryRows } = autopay

async function createAutopayer(method?: Parameters<typeof turnOnAutopay>[2]) {
  const family = await createPayer('2026-03-10', { Leo: 95 })
  const { sensei, students, ana } = family
  const leo = students[0] ?? ana
  await autopay.payInCash(sensei, leo.id, 95)
  await turnOnAutopay(ana, {}, method)
  return {
    ...family,
    leo,
    methodId: await autopay.savedMethodOf(sensei),
    customerOf: (methodId: string) => autopay.store().payment_method.get(methodId)?.customer,
    readEvents: () => autopay.readEvents(sensei),
    agreements: () =>
      queryRows(sensei, 'select end_reason, ended_way, ended_by, end_note from autopay_agreements'),
    liveThrough: async (day: string, hour?: number) =>
      (await autopay.liveThrough(day, hour)).filter(({ to }) => to === ana.email),
  }
}

const customerIdOf = (methodId: string): string =>
  idOf(autopay.store().payment_method.get(methodId)?.customer ?? null) ?? ''

const titlesOf = async (person: { id: string }): Promise<string[]> => {
  const { body } = await (await clientOf(person)).get('/notifications')
  return body.map(({ title }: { title: string }) => title)
}

describe('stopping', () => {
  test('from home takes effect at once: nothing is charged, and Stripe forgets the card', async () => {
    const family = await createAutopayer()
    const { ana, methodId, customerOf, agreements, liveThrough, sensei } = family
    const { status, body } = await (await clientOf(ana)).post('/payer/autopay/stop')
    expect([status, body]).toEqual([200, { on_its_way: 0 }])
    expect(customerOf(methodId)).toBeNull()
    expect(await readHome(ana)).toMatchObject({ autopay: null, method: null })
    expect(await agreements()).toMatchObject([
      { end_reason: 'payer', ended_way: 'home', ended_by: ana.id },
    ])
    expect(await titlesOf(ana)).toContain('Autopay is off')
    const takenBefore = await autopay.readTaken(sensei)
    await liveThrough('2026-03-29')
    await liveThrough('2026-04-01')
    expect(await autopay.readTaken(sensei)).toEqual(takenBefore)
    expect((await (await clientOf(ana)).post('/payer/autopay/stop')).status).toBe(200)
  })

  test('with the link in a notice needs no login', async () => {
    const { ana, liveThrough, agreements, methodId, customerOf } = await createAutopayer()
    const [notice] = await liveThrough('2026-03-29')
    const path = new URL(/https:\S+\/pay\/stop\/\S+/.exec(notice?.text ?? '')?.[0] ?? '').pathname
    const page = await autopay.openPage(path)
    expect(page.html).toContain('Stop autopay?')
    expect(page.html).not.toMatch(/Diaz|4242|555/)
    expect((await readHome(ana)).autopay).not.toBeNull()
    const { body } = await server.http.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    })
    expect(body).toContain('Autopay is off.')
    expect(await agreements()).toMatchObject([{ end_reason: 'payer', ended_way: 'link' }])
    expect(customerOf(methodId)).toBeNull()
    // The old link does not stop a later agreement.
    await turnOnAutopay(ana)
    await server.http.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    })
    expect((await readHome(ana)).autopay).not.toBeNull()
  })

  test.each(['x', '00000000-0000-4000-8000-000000000000.v1.aaaaaaaaaaaaaaaaaaaaaaaa'])(
    'with the wrong link %s is refused',
    async (token) => {
      expect((await autopay.openPage(`/pay/stop/${token}`)).status).toBe(404)
    },
  )

  test('by the school needs a reason, and is told and recorded', async () => {
    const { sensei, ana, leo, agreements } = await createAutopayer()
    const path = `/students/${leo.id}/autopay`
    expect((await sensei.get(path)).body.payer).toMatchObject({
      payer_name: 'Ana Diaz',
      method: { last4: '4242' },
      autopay: { next_on: '2026-04-01', next_amount: 95 },
    })
    expect((await sensei.post(`${path}/stop`, { reason: '' })).status).toBe(422)
    expect((await sensei.post(`${path}/stop`, { reason: 'Asked on the phone' })).status).toBe(200)
    expect(await agreements()).toMatchObject([
      { end_reason: 'staff', ended_by: sensei.id, end_note: 'Asked on the phone' },
    ])
    expect(await titlesOf(ana)).toContain('Autopay is off')
    expect((await sensei.get(path)).body.payer).toBeNull()
    const entries = await queryRows(
      sensei,
      `select action from audit_log where dojo_id = '${sensei.dojoId}' and action = 'autopay stopped'`,
    )
    expect(entries).toHaveLength(1)
  })

  test('names a bank debit that is already on its way', async () => {
    const { ana, liveThrough, sensei } = await createAutopayer('usBankAccount')
    await liveThrough('2026-03-29')
    await liveThrough('2026-04-01')
    const { body } = await (await clientOf(ana)).post('/payer/autopay/stop')
    expect(body).toEqual({ on_its_way: 95 })
    await liveThrough('2026-04-06')
    expect(await queryRows(sensei, 'select state from online_payments order by id')).toMatchObject([
      { state: 'paid' },
    ])
  })

  test('between the decision to charge and the call to Stripe charges nothing', async () => {
    const { ana, liveThrough, sensei } = await createAutopayer()
    await liveThrough('2026-03-29')
    autopay.setFaults(({ operation }) => (operation === 'PostPaymentIntents' ? 'cut-before' : null))
    stripe.account().forbiddenOperations.add('GetPaymentIntents')
    await liveThrough('2026-04-01')
    stripe.account().forbiddenOperations.clear()
    autopay.setFaults(() => null)
    const { body } = await (await clientOf(ana)).post('/payer/autopay/stop')
    // The first call may have reached Stripe, so its outcome is asked for.
    expect(body).toEqual({ on_its_way: 95 })
    expect((await autopay.readTaken(sensei)).length).toBe(0)
  })

  test('succeeds if Stripe does not respond, and the card is removed later', async () => {
    const { ana, methodId, customerOf } = await createAutopayer()
    autopay.setFaults(({ operation }) => (operation.endsWith('Detach') ? 'cut-before' : null))
    expect((await (await clientOf(ana)).post('/payer/autopay/stop')).status).toBe(200)
    expect(customerOf(methodId)).not.toBeNull()
    autopay.setFaults(() => null)
    autopay.setDay('2026-03-10', 19)
    await autopay.performTasks()
    expect(customerOf(methodId)).toBeNull()
  })
})

describe('a card', () => {
  test('that expires soon is told once, unless the bank renews it', async () => {
    const { ana, methodId, liveThrough, readEvents } = await createAutopayer()
    const card = autopay.store().payment_method.get(methodId)?.card
    if (card) Object.assign(card, { exp_month: 4, exp_year: 2026 })
    updateCard(autopay.store(), methodId, { last4: '4242', exp_month: 4, exp_year: 2026 })
    await autopay.liveThrough('2026-03-10', 19)
    await readEvents()
    expect((await readHome(ana)).method).toMatchObject({ expires: { month: 3, year: 2026 } })
    const emails = await liveThrough('2026-03-31')
    expect(emails.map(({ subject }) => subject).join()).toContain('Your card expires soon')
    expect((await readHome(ana)).method?.expires_soon).toBe(true)
    const later = await liveThrough('2026-04-02')
    expect(later.map(({ subject }) => subject).join()).not.toContain('expires soon')
    updateCard(autopay.store(), methodId, { last4: '1111', exp_month: 4, exp_year: 2030 })
    await autopay.liveThrough('2026-04-02', 20)
    await readEvents()
    expect((await readHome(ana)).method).toMatchObject({ last4: '1111', expires_soon: false })
  })

  test('that was removed at Stripe is no longer charged, and the payer is told', async () => {
    const { ana, methodId, readEvents } = await createAutopayer()
    detachMethod(autopay.store(), methodId)
    await readEvents()
    expect(await readHome(ana)).toMatchObject({ method: null, autopay: { day_of_month: 1 } })
    expect(await titlesOf(ana)).toContain('Please add a new card')
  })

  test('of a customer that was deleted at Stripe is gone, and the payer can begin anew', async () => {
    const { ana, methodId, readEvents } = await createAutopayer()
    deleteCustomer(autopay.store(), customerIdOf(methodId))
    await readEvents()
    expect((await readHome(ana)).method).toBeNull()
    const { body } = await (await clientOf(ana)).post('/payer/method')
    await autopay.complete(body.url)
    expect((await readHome(ana)).method).not.toBeNull()
  })

  test('of a deleted guardian is forgotten at Stripe, with the customer', async () => {
    const { sensei, ana, methodId } = await createAutopayer()
    const customerId = customerIdOf(methodId)
    expect((await sensei.delete(`/guardians/${ana.id}`)).status).toBe(200)
    autopay.setDay('2026-03-10', 19)
    await autopay.performTasks()
    expect(autopay.store().customer.get(customerId)?.deleted).toBe(true)
    expect(await queryRows(sensei, 'select id from saved_methods')).toEqual([])
    expect(await queryRows(sensei, 'select id from autopay_agreements')).toEqual([])
  })
})

describe('a deleted payer', () => {
  const readRows = (sensei: { dojoId: string }) =>
    queryRows(sensei, 'select customer_id from stripe_customers')

  test('without a saved card is deleted at Stripe, too', async () => {
    const { sensei, students, ana } = await createPayer('2026-03-10', { Leo: 95 })
    await autopay.payOnline(sensei, students[0]?.id ?? '')
    const [row] = await queryRows(sensei, 'select customer_id from online_payers')
    const customerId = String(row?.['customer_id'])
    expect((await sensei.delete(`/guardians/${ana.id}`)).status).toBe(200)
    expect(await readRows(sensei)).toEqual([{ customer_id: customerId }])
    autopay.setFaults(({ operation }) =>
      operation === 'DeleteCustomersCustomer' ? 'cut-before' : null,
    )
    await autopay.performTasks()
    expect(autopay.store().customer.get(customerId)?.deleted).toBeUndefined()
    autopay.setFaults(() => null)
    autopay.setDay('2026-03-10', 19)
    await autopay.performTasks()
    expect(autopay.store().customer.get(customerId)?.deleted).toBe(true)
    expect(await readRows(sensei)).toEqual([])
  })

  test('is not deleted at Stripe before it is known whether a debit took money', async () => {
    const { sensei, ana, methodId, liveThrough } = await createAutopayer()
    const customerId = customerIdOf(methodId)
    await liveThrough('2026-03-29')
    autopay.setFaults(({ operation }) => (operation === 'PostPaymentIntents' ? 'cut-after' : null))
    await liveThrough('2026-04-01')
    expect((await sensei.delete(`/guardians/${ana.id}`)).status).toBe(200)
    autopay.setFaults(({ operation }) =>
      operation === 'GetPaymentIntents' ? 'broken-before' : null,
    )
    await liveThrough('2026-04-01', 19)
    expect(autopay.store().customer.get(customerId)?.deleted).toBeUndefined()
    autopay.setFaults(() => null)
    await liveThrough('2026-04-01', 20)
    await liveThrough('2026-04-01', 21)
    const payments = await queryRows(sensei, 'select state, amount from online_payments')
    expect(payments).toEqual([{ state: 'paid', amount: 9500 }])
    expect(autopay.store().customer.get(customerId)?.deleted).toBe(true)
    expect(await readRows(sensei)).toEqual([])
  })
})

test('a bank account whose mandate has ended is no longer charged', async () => {
  const { ana, methodId, readEvents } = await createAutopayer('usBankAccount')
  stripe.account().webhooks.emit(autopay.store(), 'mandate.updated', {
    id: 'mandate_1',
    object: 'mandate',
    status: 'inactive',
    payment_method: methodId,
  })
  await readEvents()
  expect((await readHome(ana)).method).toBeNull()
})

test('a disputed payment ends autopay', async () => {
  const { sensei, ana, liveThrough, readEvents } = await createAutopayer()
  await liveThrough('2026-03-29')
  await liveThrough('2026-04-01')
  const [payment] = await queryRows(sensei, 'select intent_id from online_payments')
  const charge = autopay.store().payment_intent.get(String(payment?.['intent_id']))?.latest_charge
  stripe.openDispute(idOf(charge ?? null) ?? '')
  await readEvents()
  await readEvents()
  expect(await readHome(ana)).toMatchObject({ autopay: null, method: null })
  expect(await titlesOf(ana)).toContain('Autopay is off')
})
