import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const MARCH = { selected_month: 2, selected_year: 2027 }
const FEE_MESSAGE = { message_type: 'monthly_fee', ...MARCH, exclude_paid_students: true }
const TEMPLATE = 'Hi {name}, your fee of {amount} is due.'

/** Creates Ken, and three children for whom Rosa pays $120, $90 ($100 less 10%) and $64 ($80 less
 *  20%). */
async function createFamily() {
  setClock('2027-03-02T15:00:00Z')
  const sensei = await server.createSensei()
  const ken = await server.createStudent(sensei, {
    name: 'Ken Adams',
    monthly_payment_amount: 1234.5,
  })
  const createChild = (name: string, monthly_payment_amount: number) =>
    server.createStudent(sensei, { name, monthly_payment_amount })
  const mia = await createChild('Mia Diaz', 120)
  const ana = await createChild('Ana Diaz', 100)
  const leo = await createChild('Leo Diaz', 80)
  const links = [mia, ana, leo].map(({ id }) => ({ student_id: id, pays: true, sees_fees: true }))
  const rosa = await server.createGuardian(sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: links,
  })
  const prices = [
    { nth: 2, percent: 10 },
    { nth: 3, percent: 20 },
  ]
  await sensei.put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  const pay = (student: { id: string }, overrides: object = {}) =>
    sensei.post('/payment-records', {
      student_id: student.id,
      payment_month: 2,
      payment_year: 2027,
      payment_status: 'paid',
      ...overrides,
    })
  const send = async (message: object = {}) => {
    const response = await sensei.post('/sms/send-bulk-message', {
      ...FEE_MESSAGE,
      custom_message: TEMPLATE,
      ...message,
    })
    expect(response.status).toBe(200)
    return response.body
  }
  const readTexts = async (id: string): Promise<Text[]> =>
    (await sensei.get(`/sms/batches/${id}`)).body.texts
  return { sensei, ken, mia, ana, leo, rosa, pay, send, readTexts }
}
type Text = { name: string; text: string; phone_number: string }
const describeTexts = (texts: Text[]) => texts.map(({ name, text }) => `${name}: ${text}`)

test('fills in the amount due, and the total in a text to a family', async () => {
  const { sensei, send, readTexts } = await createFamily()
  const preview = (await sensei.post('/sms/preview', { ...FEE_MESSAGE, custom_message: TEMPLATE }))
    .body
  expect(
    preview.students.map(({ name, amount, text }: Text & { amount: number }) => [
      name,
      amount,
      text,
    ]),
  ).toEqual([
    ['Ana Diaz', 90, 'Hi Ana, Leo and Mia, your fee of $274.00 is due.'],
    ['Ken Adams', 1234.5, 'Hi Ken, your fee of $1,234.50 is due.'],
    ['Leo Diaz', 64, 'Hi Ana, Leo and Mia, your fee of $274.00 is due.'],
    ['Mia Diaz', 120, 'Hi Ana, Leo and Mia, your fee of $274.00 is due.'],
  ])
  const response = await send()
  expect(response).toMatchObject({ total_recipients: 4, total_texts: 2 })
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(2)
  expect(describeTexts(await readTexts(response.batch_id))).toEqual(
    preview.students.map(({ name, text }: Text) => `${name}: ${text}`),
  )
})

test('adds up only the amounts of recipients, and uses the price that was paid', async () => {
  const { ana, pay, send, readTexts } = await createFamily()
  await pay(ana, { monthly_payment_amount: 55 })
  expect(describeTexts(await readTexts((await send()).batch_id))).toContain(
    'Leo Diaz: Hi Leo and Mia, your fee of $184.00 is due.',
  )
  const allTexts = await readTexts((await send({ exclude_paid_students: false })).batch_id)
  expect(describeTexts(allTexts)).toContain(
    'Leo Diaz: Hi Ana, Leo and Mia, your fee of $239.00 is due.',
  )
})

test('fills in the amount of the month that the message is about', async () => {
  const { sensei, mia, send, readTexts } = await createFamily()
  await sensei.put(`/students/${mia.id}/vacation`, {
    vacation_from: '2027-04-01',
    vacation_until: '2027-04-30',
  })
  expect(describeTexts(await readTexts((await send()).batch_id))).toContain(
    'Leo Diaz: Hi Ana, Leo and Mia, your fee of $274.00 is due.',
  )
  // While Mia is on vacation, Ana pays the full price and Leo 10% less.
  const aprilTexts = await readTexts((await send({ selected_month: 3 })).batch_id)
  expect(describeTexts(aprilTexts)).toContain(
    'Leo Diaz: Hi Ana and Leo, your fee of $172.00 is due.',
  )
})

test('shows guardians and students their own amounts in the app', async () => {
  const { sensei, ken, leo, rosa, send } = await createFamily()
  await send()
  const readAnnouncement = async (person: { get: typeof rosa.get }) =>
    (await person.get('/announcements')).body[0].content
  expect(await readAnnouncement(rosa)).toBe('Hi Ana, Leo and Mia, your fee of $274.00 is due.')
  expect(await readAnnouncement(leo)).toBe('Hi Leo, your fee of $64.00 is due.')
  expect(await readAnnouncement(ken)).toBe('Hi Ken, your fee of $1,234.50 is due.')
  expect(await readAnnouncement(sensei)).toBe(TEMPLATE)
  await sensei.post('/notifications/send-fee-reminder', {
    custom_message: 'Please pay {amount}, {name}.',
  })
  expect(await readAnnouncement(rosa)).toBe('Please pay $274.00, Ana, Leo and Mia.')
})

test('updates the amount when the students of a text change', async () => {
  const { sensei, ana, leo, send, readTexts } = await createFamily()
  const firstBatch = await send()
  const secondBatch = await send()
  await sensei.delete(`/students/${ana.id}`)
  expect(describeTexts(await readTexts(firstBatch.batch_id))).toContain(
    'Mia Diaz: Hi Leo and Mia, your fee of $184.00 is due.',
  )
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute(`update messages set state = 'failed' where batch_id = '${secondBatch.batch_id}'`),
  )
  // Leo now has another payer, who gets his text.
  await server.createGuardian(sensei, [], {
    name: 'Ben Diaz',
    phone: '(512) 555-0178',
    students: [{ student_id: leo.id, pays: true }],
  })
  await sensei.post(`/sms/batches/${secondBatch.batch_id}/send-again`)
  expect(
    (await readTexts(secondBatch.batch_id)).map(({ name, text, phone_number }) => [
      name,
      phone_number.slice(-3),
      text,
    ]),
  ).toEqual([
    ['Ken Adams', expect.any(String), 'Hi Ken, your fee of $1,234.50 is due.'],
    ['Leo Diaz', '178', 'Hi Leo, your fee of $64.00 is due.'],
    ['Mia Diaz', '177', 'Hi Mia, your fee of $120.00 is due.'],
  ])
})

test('refuses {amount} in messages that are not about fees', async () => {
  const { sensei } = await createFamily()
  const refusal = await sensei.post('/sms/send-bulk-message', {
    message_type: 'weather_cancel',
    custom_message: 'Hi {name}, {amount} of snow.',
    selected_classes: null,
  })
  expect([refusal.status, refusal.body.detail]).toEqual([422, expect.stringContaining('{amount}')])
})

test('refuses a message that the amounts make too long', async () => {
  const { sensei } = await createFamily()
  const refusal = await sensei.post('/sms/send-bulk-message', {
    ...FEE_MESSAGE,
    custom_message: `{amount}${'x'.repeat(1601 - '$1,234.50'.length)}`,
  })
  expect([refusal.status, refusal.body.detail]).toEqual([
    422,
    'With the names in it, the message is up to 1 character too long',
  ])
})

test('fills in the whole balance, and skips students who owe nothing', async () => {
  const { sensei, ken, mia, ana, leo, pay } = await createFamily()
  await sensei.post('/charges', { student_ids: [leo.id], kind: 'equipment', amount: 40 })
  await pay(ana)
  const message = {
    ...FEE_MESSAGE,
    message_type: 'monthly_fee',
    exclude_paid_students: null,
    amount_of: 'balance',
    custom_message: 'Hi {name}, {amount} is open.',
  }
  const selectedMessage = { ...message, selected_students: [mia.id, ana.id, leo.id] }
  const { students } = (await sensei.post('/sms/preview', selectedMessage)).body
  expect(
    students.map(({ name, amount, reason, text }: Text & { amount: number; reason: string }) => [
      name,
      amount,
      reason,
      text,
    ]),
  ).toEqual([
    ['Ana Diaz', null, 'owes_nothing', null],
    ['Leo Diaz', 104, null, 'Hi Leo and Mia, $224.00 is open.'],
    ['Mia Diaz', 120, null, 'Hi Leo and Mia, $224.00 is open.'],
  ])
  const result = (await sensei.post('/sms/send-bulk-message', selectedMessage)).body
  expect(result).toMatchObject({
    total_recipients: 2,
    total_texts: 1,
    skipped: [{ name: 'Ana Diaz', reason: 'owes_nothing' }],
  })
  const everyStudent = (await sensei.post('/sms/preview', message)).body
  expect(
    everyStudent.students.map(({ name, amount }: Text & { amount: number }) => [name, amount]),
  ).toContainEqual([ken.name, 1234.5])
})

test('sends nothing if one of the selected students is unknown', async () => {
  const { sensei, ken, ana } = await createFamily()
  await sensei.delete(`/students/${ken.id}`)
  const refusal = await sensei.post('/sms/send-bulk-message', {
    ...FEE_MESSAGE,
    custom_message: TEMPLATE,
    selected_students: [ana.id, ken.id],
  })
  expect([refusal.status, refusal.body.detail]).toEqual([404, 'Student not found'])
})
