import { sha256 } from '../../lib/secrets.ts'
import { expect, test } from 'vitest'
import { startServerWithAutopay, wordsOf } from '../../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { server, stripe, createPayer, readHome, agree, complete, clientOf, queryRows } = autopay

test('a payer sees what is owed for all children, and pays it from home', async () => {
  const { ana, students } = await createPayer('2026-03-10')
  const home = await readHome(ana)
  expect(home).toMatchObject({
    is_test: true,
    owed: 175,
    method: null,
    autopay: null,
    terms: { students: students.map(({ name }) => name), usual_amount: 175 },
    fees: {
      card: { amount: 5.38, is_measured: false },
      bank: { amount: 1.4, is_measured: false },
    },
  })
  const client = await clientOf(ana)
  const { body } = await client.post('/payer/pay', { amount: 175 })
  await complete(body.url)
  expect(await readHome(ana)).toMatchObject({ owed: 0, payments: [{ amount: 175 }] })
  expect(stripe.violations).toEqual([])
})

test('the amount that was shown must still be owed', async () => {
  const { ana } = await createPayer('2026-03-10')
  const { status, body } = await (await clientOf(ana)).post('/payer/pay', { amount: 100 })
  expect([status, body.detail]).toEqual([409, 'The amount has changed. Please look again.'])
})

test('saving a card without paying starts autopay, keeps the words, and mails them', async () => {
  const { sensei, ana } = await createPayer('2026-03-10')
  const words = wordsOf(await readHome(ana), { day_of_month: 31, limit: 300 })
  const { body } = await agree(ana, { day_of_month: 31, limit: 300 })
  expect(stripe.account().store['checkout.session'].get(body.url.split('/').at(-1))).toMatchObject({
    mode: 'setup',
  })
  expect((await readHome(ana)).autopay).toBeNull()
  const html = await complete(body.url)
  expect(html).toContain('Your card or bank account is saved.')
  expect(await readHome(ana)).toMatchObject({
    method: { kind: 'card', brand: 'visa', last4: '4242', expires: { month: 11, year: 2034 } },
    autopay: { day_of_month: 31, limit: 300, trouble: null },
  })
  const [agreement] = await queryRows(sensei, 'select * from autopay_agreements')
  expect(agreement).toMatchObject({
    wording_version: 2,
    language: 'en',
    words,
    words_hash: sha256(words),
    agreed_by: ana.id,
    agreed_way: 'home',
    address: '127.0.0.1',
    ended_at: null,
  })
  const { body: notifications } = await (await clientOf(ana)).get('/notifications')
  expect(notifications[0]).toMatchObject({ title: 'Autopay is on' })
  expect(notifications[0].message).toContain(words)
  expect(stripe.violations).toEqual([])
})

test('the words say what happens if more is owed than the limit', async () => {
  const { ana } = await createPayer('2026-03-10')
  const words = wordsOf(await readHome(ana), { limit: 100 })
  expect(words).toContain(
    'It never charges more than $100.00 at once. If I owe more than that, nothing is charged, ' +
      'and I am asked to pay.',
  )
  expect((await agree(ana, { limit: 100 })).status).toBe(200)
})

test('“save and pay” pays what is owed now and saves the card', async () => {
  const { ana } = await createPayer('2026-03-10')
  const { body } = await agree(ana, { pays_amount: 175 })
  await complete(body.url)
  await autopay.performTasks()
  autopay.setDay('2026-03-10', 19)
  await autopay.performTasks()
  expect(await readHome(ana)).toMatchObject({
    owed: 0,
    method: { last4: '4242' },
    autopay: { next: { on: '2026-04-01', amount: 175 } },
  })
})

test('a payment that is not made saves nothing', async () => {
  const { ana } = await createPayer('2026-03-10')
  await agree(ana, { pays_amount: 175 })
  autopay.setDay('2026-03-10', 20)
  stripe.advance()
  await autopay.performTasks()
  await autopay.performTasks()
  expect(await readHome(ana)).toMatchObject({ owed: 175, method: null, autopay: null })
  // Plain payment after that saves no card either.
  const { body } = await (await clientOf(ana)).post('/payer/pay', { amount: 175 })
  await complete(body.url)
  await autopay.performTasks()
  expect(await readHome(ana)).toMatchObject({ owed: 0, method: null, autopay: null })
})

test('the tick and the words as shown are needed', async () => {
  const { ana } = await createPayer('2026-03-10')
  const client = await clientOf(ana)
  const words = wordsOf(await readHome(ana), {})
  const form = { day_of_month: 1, is_agreed: true, words }
  expect((await client.post('/payer/autopay', { ...form, is_agreed: false })).status).toBe(422)
  const refusal = await client.post('/payer/autopay', { ...form, words: `${words} And more.` })
  expect(refusal.status).toBe(409)
  expect((await client.post('/payer/autopay', { ...form, day_of_month: 32 })).status).toBe(422)
})

test('two presses open the same page of Stripe', async () => {
  const { ana } = await createPayer('2026-03-10')
  const [first, second] = [await agree(ana), await agree(ana)]
  expect(first.body.url).toBe(second.body.url)
  const third = await agree(ana, { day_of_month: 5 })
  expect(third.body.url).not.toBe(first.body.url)
})

test('another day or limit is a new agreement, without a page of Stripe', async () => {
  const { sensei, ana } = await createPayer('2026-03-10')
  await autopay.turnOnAutopay(ana)
  const { body } = await agree(ana, { day_of_month: 15 })
  expect(body).toEqual({ url: null })
  expect((await readHome(ana)).autopay).toMatchObject({ day_of_month: 15 })
  const rows = await queryRows(
    sensei,
    'select day_of_month, end_reason from autopay_agreements order by agreed_at',
  )
  expect(rows).toEqual([
    { day_of_month: 1, end_reason: 'changed' },
    { day_of_month: 15, end_reason: null },
  ])
})

test('an agreement never changes and ends only once', async () => {
  const { sensei, ana } = await createPayer('2026-03-10')
  await autopay.turnOnAutopay(ana)
  for (const change of ["words = 'other'", 'day_of_month = 9', 'limit_amount = 1'])
    await expect(
      queryRows(sensei, `update autopay_agreements set ${change} returning id`),
    ).rejects.toThrow('Failed query')
})

test('a new card replaces the old one, which Stripe forgets', async () => {
  const { sensei, ana } = await createPayer('2026-03-10')
  const client = await clientOf(ana)
  expect((await client.post('/payer/method')).status).toBe(409)
  await autopay.turnOnAutopay(ana)
  const formerMethod = await autopay.savedMethodOf(sensei)
  const { body } = await client.post('/payer/method')
  await complete(body.url, 'usBankAccount')
  await autopay.performTasks()
  expect((await readHome(ana)).method).toMatchObject({ kind: 'bank', last4: '6789', expires: null })
  expect(stripe.account().store.payment_method.get(formerMethod)?.customer).toBeNull()
})

test('a forwarded link pays, but saves nothing', async () => {
  const { sensei, ana, students } = await createPayer('2026-03-10')
  const path = await autopay.createLink(sensei, students[0]?.id ?? '')
  const { html } = await autopay.openPage(path)
  expect(html).not.toMatch(/checkbox|save/i)
  const { sessionId } = await autopay.pressPay(path)
  stripe.pay(sessionId)
  await autopay.openPage(autopay.returnPathOf(sessionId))
  await autopay.performTasks()
  expect(await readHome(ana)).toMatchObject({ owed: 0, method: null, autopay: null })
})

test('without a key, nothing of this is seen', async () => {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Diaz' })
  expect((await leo.get('/payer/home')).body).toEqual({ home: null })
  expect((await leo.post('/payer/pay', { amount: 10 })).status).toBe(409)
  expect((await sensei.get(`/students/${leo.id}/autopay`)).body).toEqual({ payer: null })
})
