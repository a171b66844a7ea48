import { expect, test } from 'vitest'
import { monthIn } from '../dojos/calendar.ts'
import { optOut } from '../texting/opt-outs.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const CURRENT_MONTH = monthIn('America/Chicago')
const monthlyFee = {
  message_type: 'monthly_fee',
  custom_message: 'Hi {name}, your fee is due.',
  selected_month: CURRENT_MONTH.month,
  selected_year: CURRENT_MONTH.year,
  exclude_paid_students: true,
}

/** Creates a dojo with one student for each reason to be skipped, and two who get the message. */
async function createDojo() {
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const teens = await server.createClass(sensei)
  let phoneEnding = 100
  const enroll = (name: string, overrides: object = {}) =>
    server.createStudent(sensei, {
      name,
      phone_number: `(512) 555-0${(phoneEnding += 1)}`,
      enrolled_classes: [kids.id],
      class_preferences: [kids.id],
      ...overrides,
    })
  await enroll('Amy Adams')
  await enroll('Ben Brown')
  await enroll('Cleo Cole', { enrolled_classes: [teens.id], class_preferences: [teens.id] })
  const vacationer = await enroll('Dan Dean')
  const form = (await sensei.get('/students')).body.find(
    ({ id }: { id: string }) => id === vacationer.id,
  )
  await sensei.put(`/students/${vacationer.id}`, { ...form, on_vacation: true })
  await enroll('Eve Ellis', { is_trial: true })
  const paidStudent = await enroll('Fay Ford')
  await sensei.post('/payment-records', {
    student_id: paidStudent.id,
    payment_month: CURRENT_MONTH.month,
    payment_year: CURRENT_MONTH.year,
    payment_status: 'paid',
  })
  await enroll('Gus Gray', { phone_number: '12345' })
  await enroll('Hal Hill', { phone_number: '(512) 555-0199' })
  await server.db.withoutDojo((tx) => optOut(tx, '+15125550199'))
  return { sensei, kids, teens }
}
type PreviewedText = {
  name: string
  sends: boolean
  reason: string | null
  text: string | null
  segments: number
}
const describeOutcomes = (students: PreviewedText[]) =>
  students.map(({ name, sends, reason }) => `${name}: ${sends ? 'sends' : reason}`)

test('lists each student with their text, or the one reason for getting none', async () => {
  const { sensei, kids } = await createDojo()
  const { status, body } = await sensei.post('/sms/preview', {
    ...monthlyFee,
    selected_classes: [kids.id],
  })
  expect([status, describeOutcomes(body.students)]).toEqual([
    200,
    [
      'Amy Adams: sends',
      'Ben Brown: sends',
      'Cleo Cole: not_in_class',
      'Dan Dean: vacation',
      'Eve Ellis: trial',
      'Fay Ford: paid',
      'Gus Gray: no_valid_phone',
      'Hal Hill: opted_out',
    ],
  ])
  expect(body.students[0]).toEqual({
    student_id: expect.any(String),
    name: 'Amy Adams',
    sends: true,
    reason: null,
    text: 'Hi Amy, your fee is due.',
    segments: 1,
    texts: [0],
    amount: 85.5,
  })
  expect(body.students[2]).toMatchObject({ text: null, segments: 0, texts: [] })
  expect(body).toMatchObject({ total_recipients: 2, total_segments: 2, remaining_messages: 300 })
})

test('sends the same texts as in the preview', async () => {
  const { sensei, kids, teens } = await createDojo()
  const requests = [
    monthlyFee,
    { ...monthlyFee, exclude_paid_students: false },
    { ...monthlyFee, selected_month: (CURRENT_MONTH.month + 1) % 12 },
    { ...monthlyFee, message_type: 'weather_cancel' },
    { ...monthlyFee, selected_classes: [teens.id] },
    { ...monthlyFee, message_type: 'special_announcement', selected_classes: [kids.id, teens.id] },
    { ...monthlyFee, message_type: 'monthly_fee', selected_classes: [] },
  ]
  for (const message of requests) {
    const { students, total_recipients, total_texts } = (await sensei.post('/sms/preview', message))
      .body
    const { batch_id, skipped, ...counts } = (await sensei.post('/sms/send-bulk-message', message))
      .body
    expect(counts).toEqual({
      success: true,
      success_count: total_recipients,
      successful_sends: total_recipients,
      total_recipients,
      total_texts,
    })
    expect(skipped.map(({ name, reason }: PreviewedText) => `${name}: ${reason}`)).toEqual(
      describeOutcomes(students).filter((line) => !line.endsWith('sends')),
    )
    const { texts } = (await sensei.get(`/sms/batches/${batch_id}`)).body
    const summarize = (previewedTexts: PreviewedText[]) =>
      previewedTexts.flatMap(({ name, text }) => (text ? [`${name}: ${text}`] : []))
    expect(summarize(texts)).toEqual(summarize(students))
  }
})

test('previews without sending, and counts the segments of each filled-in text', async () => {
  const { sensei, kids } = await createDojo()
  const custom_message = `Hi {name}, ${'x'.repeat(150)}`
  const { body } = await sensei.post('/sms/preview', {
    message_type: 'weather_cancel',
    custom_message,
    selected_classes: [kids.id],
  })
  const countSegmentsOf = (studentName: string) =>
    body.students.find(({ name }: PreviewedText) => name === studentName).segments
  expect([countSegmentsOf('Amy Adams'), countSegmentsOf('Fay Ford'), body.total_segments]).toEqual([
    1, 1, 4,
  ])
  // The emoji makes it a Unicode text, which needs three segments.
  const unicodePreview = await sensei.post('/sms/preview', {
    message_type: 'weather_cancel',
    custom_message: `${custom_message}🥋`,
    selected_classes: [kids.id],
  })
  expect(unicodePreview.body.total_segments).toBe(12)
  expect([
    (await sensei.get('/daily-message-usage')).body.message_count,
    (await sensei.get('/sms/batches')).body,
  ]).toEqual([0, []])
})

test('refuses to send or preview a message that a long name makes too long', async () => {
  const sensei = await server.createSensei()
  await server.createStudent(sensei, { name: 'Maximiliana Lee' })
  const createMessage = (length: number) => ({
    message_type: 'weather_cancel',
    custom_message: `{name}${'x'.repeat(length)}`,
  })
  const longestFiller = 1600 - 'Maximiliana'.length
  expect((await sensei.post('/sms/preview', createMessage(longestFiller))).status).toBe(200)
  for (const path of ['/sms/preview', '/sms/send-bulk-message']) {
    const { status, body } = await sensei.post(path, createMessage(longestFiller + 4))
    expect([status, body.detail]).toEqual([
      422,
      'With the names in it, the message is up to 4 characters too long',
    ])
  }
})

test('responds with 404 for a class of another dojo', async () => {
  const { sensei } = await createDojo()
  const otherClass = await server.createClass(await server.createSensei())
  for (const path of ['/sms/preview', '/sms/send-bulk-message']) {
    const refusal = await sensei.post(path, { ...monthlyFee, selected_classes: [otherClass.id] })
    expect([refusal.status, refusal.body.detail]).toEqual([404, 'Class not found'])
  }
})

test('previews the recipients of an empty message', async () => {
  const { sensei, kids } = await createDojo()
  const previewWithText = (await sensei.post('/sms/preview', monthlyFee)).body
  for (const custom_message of ['', null, undefined]) {
    const { status, body } = await sensei.post('/sms/preview', { ...monthlyFee, custom_message })
    expect([status, describeOutcomes(body.students), body.total_segments]).toEqual([
      200,
      describeOutcomes(previewWithText.students),
      0,
    ])
  }
  const special = { message_type: 'special_announcement', selected_classes: [kids.id] }
  expect((await sensei.post('/sms/preview', special)).body.total_recipients).toBeGreaterThan(0)
  expect((await sensei.post('/sms/preview', { ...special, selected_classes: [] })).status).toBe(422)
  expect((await sensei.post('/sms/send-bulk-message', special)).body.detail).toBe(
    'Please enter a message for the special announcement.',
  )
})
