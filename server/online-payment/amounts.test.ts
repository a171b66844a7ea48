import { segmentsOf } from '@tatami/contract/texting/segments'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { PUBLIC_URL, startServerWithStripe } from '../test/server-with-stripe.ts'

const { server, stripe, ...online } = await startServerWithStripe()
const { createFamily, createLink, openPage, pressPay, payOnline, balanceOf, returnPathOf } = online

const intents = () => [...stripe.account().store.payment_intent.values()]

test.each(['visa', 'usBankAccount'] as const)(
  'paying with %s costs exactly what is owed, without a surcharge',
  async (method) => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    expect((await openPage(path)).html).not.toMatch(/surcharge|convenience|\bfee:/i)
    const { sessionId } = await pressPay(path)
    stripe.pay(sessionId, method)
    expect(intents().at(-1)).toMatchObject({ amount: 9500 })
  },
)

test('a debt of less than 50 cents waits until more is owed', async () => {
  const { sensei, leo } = await createFamily()
  const account = await sensei.get(`/students/${leo.id}/account`)
  expect(account.body.balance).toBe(95)
  await sensei.post('/payments', { student_id: leo.id, amount: 94.6, method: 'cash' })
  const path = await createLink(sensei, leo.id)
  const countBefore = stripe.account().store['checkout.session'].size
  const { status, html } = await pressPay(path)
  expect(status).toBe(200)
  expect(html).toContain('This is less than the $0.50 that can be paid online.')
  expect(html).not.toContain('Pay $0.40')
  expect(stripe.account().store['checkout.session'].size).toBe(countBefore)
  await sensei.post('/charges', { student_ids: [leo.id], kind: 'equipment', amount: 10 })
  await payOnline(sensei, leo.id)
  expect(intents().at(-1)).toMatchObject({ amount: 1040 })
  expect(await balanceOf(sensei, leo.id)).toBe(0)
})

test('Stripe learns first names of students, and no birth date', async () => {
  const callsBefore = stripe.calls.length
  const { sensei, leo } = await createFamily()
  await payOnline(sensei, leo.id)
  const sentForms = JSON.stringify(stripe.calls.slice(callsBefore).map(({ form }) => form))
  expect(sentForms).toContain('Leo: ')
  expect(sentForms).not.toMatch(/Leo Diaz|2010-03-01|birth/)
})

test('the database allows no second payment in progress for the same month', async () => {
  const { sensei, leo } = await createFamily()
  await pressPay(await createLink(sensei, leo.id))
  const copyLine = server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute(sql`
      insert into online_payment_lines (id, payment_id, student_id, pays_for, name, amount)
      select gen_random_uuid(), payment_id, student_id, pays_for, name, amount
      from online_payment_lines`),
  )
  await expect(copyLine).rejects.toMatchObject({
    cause: { constraint: 'online_payment_lines_once' },
  })
})

test('a link opened after the payment shows that nothing is owed', async () => {
  const { sensei, leo } = await createFamily()
  const path = await createLink(sensei, leo.id)
  const { sessionId } = await pressPay(path)
  stripe.pay(sessionId)
  await openPage(returnPathOf(sessionId))
  expect((await openPage(path)).html).toContain('Nothing to pay right now.')
})

test('a link that comes before the month is due says from when it can be paid', async () => {
  setClock('2027-03-10T16:00:00Z')
  const { sensei, leo } = await createFamily()
  const path = await createLink(sensei, leo.id)
  stripe.pay((await pressPay(path)).sessionId)
  expect((await openPage(path)).html).toContain(
    '$95.00 is due on April 1, 2027. You can pay it here from that day on.',
  )
})

test('the pay link of a text is on the server’s own address, and counts as segments', async () => {
  setClock('2027-03-10T16:00:00Z')
  const { sensei } = await createFamily()
  await online.allowLinksInTexts(sensei)
  const { id: classId } = await server.createClass(sensei)
  const { id: studentId } = await server.createStudent(sensei, {
    name: 'Kim Lee',
    enrolled_classes: [classId],
    class_preferences: [classId],
  })
  const { body } = await sensei.post('/sms/preview', {
    message_type: 'monthly_fee',
    custom_message: 'Hi {name}, your fee is due.',
    selected_classes: [classId],
    selected_month: 2,
    selected_year: 2027,
    exclude_paid_students: true,
  })
  const { text, segments } = body.students.find(
    ({ student_id }: { student_id: string }) => student_id === studentId,
  )
  expect(text).toMatch(`${PUBLIC_URL}/pay/`)
  expect(segments).toBe(segmentsOf(text).segments)
  const longMessage = `Hi Kim, your fee is due.${'!'.repeat(100)}`
  expect(segmentsOf(longMessage).segments).toBe(1)
  expect(segmentsOf(`${longMessage} ${text.slice(text.indexOf('https'))}`).segments).toBe(2)
})
