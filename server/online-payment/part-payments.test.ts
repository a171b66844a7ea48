import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startServerWithStripe } from '../test/server-with-stripe.ts'

const online = await startServerWithStripe()
const { server, stripe, createFamily, createLink, openPage, returnPathOf } = online
const { balanceOf, performDueTasks, readShownCents } = online

/** Presses "Pay this part". */
async function payPart(path: string, part: string, shownCents = '9500') {
  const { statusCode, headers, body } = await server.http.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ shown: shownCents, part }).toString(),
  })
  return {
    status: statusCode,
    html: body,
    sessionId: (headers.location ?? '').split('/').at(-1) ?? '',
  }
}

const sessionOf = (sessionId: string) => stripe.account().store['checkout.session'].get(sessionId)

async function createLeosLink() {
  const { sensei, leo, ana } = await createFamily()
  return { sensei, ana, leoId: leo.id, path: await createLink(sensei, leo.id) }
}

test('two parents each pay half by link', async () => {
  const { sensei, path, leoId } = await createLeosLink()
  expect((await openPage(path)).html).toContain('value="47.50"')
  const { sessionId } = await payPart(path, '47.50')
  expect(sessionOf(sessionId)).toMatchObject({ amount_total: 4750 })
  stripe.pay(sessionId)
  expect((await openPage(returnPathOf(sessionId))).html).toContain('Your payment of $47.50')
  expect(await balanceOf(sensei, leoId)).toBe(47.5)
  const secondHalf = await payPart(path, '$47.50', '4750')
  stripe.pay(secondHalf.sessionId)
  await openPage(returnPathOf(secondHalf.sessionId))
  expect(await balanceOf(sensei, leoId)).toBe(0)
  expect(stripe.violations).toEqual([])
})

test('the rest of a charge waits until the bank has brought the first part', async () => {
  const { path, ana } = await createLeosLink()
  const { sessionId } = await payPart(path, '40')
  stripe.pay(sessionId, 'usBankAccount')
  await openPage(returnPathOf(sessionId))
  const { html } = await openPage(path)
  expect(html).toContain('$40.00 is on its way from the bank.')
  expect(html).toContain(
    '$55.00 more is owed. You can pay it here once the bank payment has arrived.',
  )
  expect(html).not.toContain('Nothing else to pay')
  expect((await ana.get('/family/home')).body).toMatchObject({
    total: { owed: 95, on_its_way: 40 },
    children: [{ fees: { owed: 95, on_its_way: 40 } }],
  })
})

test('an open part stays open while it is still owed, and ends when it is not', async () => {
  setClock('2026-03-10T18:00:00Z')
  const { sensei, path, leoId } = await createLeosLink()
  const { sessionId } = await payPart(path, '40')
  await sensei.post('/payments', {
    student_id: leoId,
    amount: 30,
    method: 'cash',
    even_if_on_its_way: true,
  })
  setClock('2026-03-10T18:01:00Z')
  await performDueTasks()
  expect(sessionOf(sessionId)?.status).toBe('open')
  await sensei.post('/payments', {
    student_id: leoId,
    amount: 30,
    method: 'cash',
    even_if_on_its_way: true,
  })
  setClock('2026-03-10T18:02:00Z')
  await performDueTasks()
  expect(sessionOf(sessionId)?.status).toBe('expired')
})

/** The page of Stripe for a part of $40, whose charge is written off while the payer pays. */
async function payWrittenOffPart({
  sensei,
  path,
  leoId,
}: Awaited<ReturnType<typeof createLeosLink>>) {
  const { sessionId } = await payPart(path, '40', readShownCents((await openPage(path)).html))
  const { body: account } = await sensei.get(`/students/${leoId}/account`)
  const [{ id: firstChargeId }] = account.charges.filter(
    ({ note }: { note: string | null }) => note === 'first',
  )
  expect((await sensei.post(`/charges/${firstChargeId}/write-off`, {})).status).toBe(200)
  stripe.pay(sessionId)
  await openPage(returnPathOf(sessionId))
}

test('a part whose charge is written off meanwhile pays what is owed besides', async () => {
  const family = await createLeosLink()
  const { sensei, leoId } = family
  const charge = { student_ids: [leoId], kind: 'other' }
  await sensei.post('/charges', { ...charge, amount: 40, note: 'first', charged_on: '2026-01-05' })
  await sensei.post('/charges', { ...charge, amount: 30, note: 'second', charged_on: '2026-01-06' })
  await payWrittenOffPart(family)
  const { body: account } = await sensei.get(`/students/${leoId}/account`)
  expect(account).toMatchObject({ balance: 85, credit: 0 })
  expect((await sensei.get('/online-payments')).body).toMatchObject([
    { paid_twice: 0, review_reason: null },
  ])
})

test('only what nobody owes anymore becomes credit to look at', async () => {
  const family = await createLeosLink()
  const { sensei, leoId } = family
  await sensei.post('/payments', { student_id: leoId, amount: 70, method: 'cash' })
  const charge = { student_ids: [leoId], kind: 'other', charged_on: '2026-01-05' }
  await sensei.post('/charges', { ...charge, amount: 40, note: 'first' })
  await payWrittenOffPart(family)
  expect(await balanceOf(sensei, leoId)).toBe(-15)
  const [{ id }] = (await sensei.get('/online-payments')).body
  expect((await sensei.get('/online-payments')).body).toMatchObject([
    { paid_twice: 15, review_reason: 'paid_twice' },
  ])
  const { parts } = (await sensei.get(`/online-payments/${id}`)).body
  expect(parts).toMatchObject([{ refundable: 25 }, { charge_id: null, refundable: 15 }])
})

test('of three presses for different amounts at once, one pays and the others say why not', async () => {
  const { sensei, path, leoId } = await createLeosLink()
  const presses = await Promise.all([payPart(path, '95'), payPart(path, '15'), payPart(path, '25')])
  for (const { html, sessionId } of presses)
    if (sessionId === '') {
      expect(html).toContain('Pay was pressed for two different amounts at the same time')
      expect(html).toContain('<button>Pay $95.00</button>')
    }
  const openSessions = presses.filter(({ sessionId }) => sessionOf(sessionId)?.status === 'open')
  expect(openSessions).toHaveLength(1)
  const sessionId = openSessions[0]?.sessionId ?? ''
  stripe.pay(sessionId)
  await openPage(returnPathOf(sessionId))
  const paidCents = sessionOf(sessionId)?.amount_total ?? 0
  expect(await balanceOf(sensei, leoId)).toBe(95 - paidCents / 100)
  expect(stripe.violations).toEqual([])
})

test('paying everything ends the page of a part', async () => {
  const { path } = await createLeosLink()
  const { sessionId } = await payPart(path, '40')
  const whole = await online.pressPay(path)
  expect(sessionOf(sessionId)?.status).toBe('expired')
  expect(sessionOf(whole.sessionId)).toMatchObject({ amount_total: 9500 })
})

test.each(['0', '0.49', '95.01', '-5', '1e1', '10.999', 'half', ''])(
  'the part "%s" is refused beside the field',
  async (part) => {
    const { path } = await createLeosLink()
    const { status, html } = await payPart(path, part)
    // What was typed stays in the field.
    expect(html).toContain(`value="${part}"`)
    expect(status).toBe(200)
    expect(html).toContain('Please enter an amount from $0.50 to $95.00.')
  },
)
