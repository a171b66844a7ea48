import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { validPhone } from '../lib/phone.ts'
import { startMailServer } from '../test/mail-server.ts'
import { paymentFixtures } from '../test/paid-dojos.ts'
import { startTestServer } from '../test/test-server.ts'
import { optOut } from '../texting/opt-outs.ts'

const server = await startTestServer()
const { createDojo, createPayer } = paymentFixtures(server)

test('texts the payer the receipt’s number, total and date', async () => {
  const { sensei, students, pay, issue } = await createDojo('Mia Diaz', 'Leo Diaz')
  await createPayer(sensei, students, { phone: '512 555 0177' })
  const { act_id } = await pay(students, 50)
  const { body } = await issue(act_id)
  const readRemainingTexts = async (): Promise<number> => {
    const usage = await sensei.get('/daily-message-usage')
    return usage.body.remaining_messages
  }
  const initialTexts = await readRemainingTexts()
  const sentReply = await sensei.post(`/receipts/${body.id}/send`, { by: 'text' })
  expect(sentReply).toMatchObject({ status: 200, body: { success: true, sent: 1 } })
  expect(await readRemainingTexts()).toBe(initialTexts - 1)
  const payerPhone = encodeURIComponent('+15125550177')
  const conversation = await sensei.get(`/sms/conversations/${payerPhone}/messages`)
  expect(JSON.stringify(conversation.body)).toContain(
    'Cedar Park Judo: receipt 2026-0001, $100.00 received on Mar 5, 2026. Thank you.',
  )
})

test('asks before texting about a student on vacation', async () => {
  const { sensei, students, pay, issue } = await createDojo('Ken Adams')
  const { body } = await issue((await pay(students)).act_id)
  await sensei.put(`/students/${students[0]!.id}/vacation`, {
    vacation_from: '2026-01-01',
    vacation_until: null,
  })
  const send = (extraFields: object = {}) =>
    sensei.post(`/receipts/${body.id}/send`, { by: 'text', ...extraFields })
  expect(await send()).toMatchObject({
    status: 409,
    body: { errors: [{ field: 'even_on_vacation' }] },
  })
  expect((await send({ even_on_vacation: true })).status).toBe(200)
})

test('does not text a phone that replied STOP', async () => {
  const { sensei, dojoId, students, pay, issue } = await createDojo('Ken Adams')
  // An adult gets texts at the student's own phone.
  await server.db.inDojo(dojoId, (tx) =>
    tx.execute(sql`update students set date_of_birth = '1990-01-01'`),
  )
  const { body } = await issue((await pay(students)).act_id)
  await server.db.withoutDojo((tx) => optOut(tx, validPhone(students[0]!.phone_number)!))
  const refusal = await sensei.post(`/receipts/${body.id}/send`, { by: 'text' })
  expect([refusal.status, refusal.body.detail]).toEqual([
    409,
    'Ken Adams has replied STOP and gets no texts.',
  ])
})

test('emails the receipt to the payer', async () => {
  const mailServer = await startMailServer()
  const serverWithMail = await server.openServer({ smtpUrl: mailServer.smtpUrl })
  const { sensei, students, pay, issue } = await createDojo('Mia Diaz')
  const rosa = await createPayer(sensei, students)
  const { body } = await issue((await pay(students, 50)).act_id)
  const sentReply = await serverWithMail.http.inject({
    method: 'POST',
    url: `/api/receipts/${body.id}/send`,
    headers: { authorization: `Bearer ${sensei.token}` },
    payload: { by: 'mail' },
  })
  expect([sentReply.statusCode, sentReply.json()]).toEqual([200, { success: true, sent: 1 }])
  await expect.poll(() => mailServer.mailsTo(rosa.email)).toHaveLength(1)
  const [email] = mailServer.mailsTo(rosa.email)
  expect(email).toContain('Subject: Receipt 2026-0001 from Cedar Park Judo')
  expect(email).toContain('Received from Rosa Diaz')
  expect(email).toContain('Mia Diaz, March 2026: $50.00, Mar 5, 2026, cash')
  expect(email).toContain('Total: $50.00')
})

test('emails the payer a receipt that a guardian opened for the family', async () => {
  const mailServer = await startMailServer()
  const serverWithMail = await server.openServer({ smtpUrl: mailServer.smtpUrl })
  const { sensei, students, pay } = await createDojo('Mia Diaz')
  const rosa = await createPayer(sensei, students)
  await server.createGuardian(sensei, students, { name: 'Ben Diaz' })
  const { body } = await rosa.post('/receipts', { act_id: (await pay(students)).act_id })
  await serverWithMail.http.inject({
    method: 'POST',
    url: `/api/receipts/${body.id}/send`,
    headers: { authorization: `Bearer ${sensei.token}` },
    payload: { by: 'mail' },
  })
  await expect.poll(() => mailServer.mailsTo(rosa.email)).toHaveLength(1)
  expect(mailServer.mailsTo(rosa.email)[0]).toContain('Received from Family of Mia Diaz')
})

test('explains why it cannot send a receipt', async () => {
  const { sensei, students, ledger, pay, issue } = await createDojo('Ken Adams')
  const payment = await pay(students)
  const { body } = await issue(payment.act_id)
  const trySending = async (channel: string) => {
    const reply = await sensei.post(`/receipts/${body.id}/send`, { by: channel })
    return [reply.status, reply.body.detail]
  }
  expect(await trySending('mail')).toEqual([
    409,
    'Email is not set up. You can text the receipt or print it.',
  ])
  expect((await trySending('pigeon'))[0]).toBe(422)
  await ledger.undoLines(payment.lines, '2026-03-09')
  expect(await trySending('text')).toEqual([409, 'This receipt is canceled, so it cannot be sent.'])
  expect(await sensei.post(`/receipts/${newId()}/send`, { by: 'text' })).toMatchObject({
    status: 404,
  })
})
