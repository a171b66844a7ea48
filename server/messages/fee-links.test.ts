import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startServerWithStripe } from '../test/server-with-stripe.ts'

const online = await startServerWithStripe()
const { server, openPage, payOnline } = online
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

/** A family of a school with a live key. */
async function createFamily() {
  const family = await online.createFamily()
  await online.allowLinksInTexts(family.sensei)
  return family
}

const FEE_REMINDER = {
  message_type: 'monthly_fee',
  custom_message: 'Hi {name}, your fee of {amount} is due.',
}

/** Returns the distinct texts that mention Leo. */
async function readTexts(sensei: Sensei): Promise<string[]> {
  const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute<{ text: string }>(sql`select text from messages where text like '%Leo%'`),
  )
  return [...new Set(rows.map(({ text }) => text))]
}

const findLink = (text = ''): string => /https:\S+$/.exec(text)?.[0] ?? ''

test('ends a text about fees with a link to what the payer owes', async () => {
  const { sensei } = await createFamily()
  const { body: preview } = await sensei.post('/sms/preview', FEE_REMINDER)
  const { status } = await sensei.post('/sms/send-bulk-message', FEE_REMINDER)
  expect(status).toBe(200)
  const [text = ''] = await readTexts(sensei)
  expect(text).toContain('Hi Leo, your fee of $95.00 is due.\nPay online: https://')
  const { pathname } = new URL(findLink(text))
  expect(pathname).toMatch(/^\/pay\/[\w-]{43}$/)
  expect((await openPage(pathname)).html).toContain('Pay $95.00')
  const [previewText] = preview.students
    .map((student: { text: string | null }) => student.text)
    .filter(Boolean)
  expect(previewText).toHaveLength(text.length)
  expect((await openPage(new URL(findLink(previewText)).pathname)).status).toBe(404)
})

test('asks nobody for money that is on its way', async () => {
  const { sensei, leo } = await createFamily()
  await payOnline(sensei, leo.id, 'usBankAccount')
  await sensei.post('/sms/send-bulk-message', { ...FEE_REMINDER, exclude_paid_students: true })
  expect(await readTexts(sensei)).toEqual([])
  const { body: preview } = await sensei.post('/sms/preview', FEE_REMINDER)
  const { reason } = preview.students.find(
    ({ student_id }: { student_id: string }) => student_id === leo.id,
  )
  expect(reason).toBe('on_its_way')
})

test('adds no link to other texts', async () => {
  const { sensei } = await createFamily()
  await sensei.post('/sms/send-bulk-message', {
    message_type: 'weather_cancel',
    custom_message: 'Hi {name}, no classes today.',
  })
  expect(await readTexts(sensei)).toEqual(['Hi Leo, no classes today.'])
})

test('adds no links on a server that runs a copy of the database', async () => {
  const { sensei } = await createFamily()
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute(sql`update stripe_accounts set server_identity = 'elsewhere'`),
  )
  await sensei.post('/sms/send-bulk-message', FEE_REMINDER)
  expect(await readTexts(sensei)).toEqual(['Hi Leo, your fee of $95.00 is due.'])
})

test('adds no links while the school tries out a test key', async () => {
  const { sensei, leo } = await online.createFamily()
  const { body: preview } = await sensei.post('/sms/preview', FEE_REMINDER)
  await sensei.post('/sms/send-bulk-message', FEE_REMINDER)
  expect(await readTexts(sensei)).toEqual(['Hi Leo, your fee of $95.00 is due.'])
  const texts = preview.students.map(({ text }: { text: string | null }) => text).filter(Boolean)
  expect(texts).toEqual([
    'Hi Leo, your fee of $95.00 is due.',
    'Hi Mia, your fee of $80.00 is due.',
  ])
  // The school can still make a link by hand.
  expect((await sensei.post('/pay-links', { student_id: leo.id })).status).toBe(200)
  expect((await sensei.get('/online-payment/status')).body).toMatchObject({
    is_on: true,
    is_test: true,
  })
})
