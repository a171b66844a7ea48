import { expect, test } from 'vitest'
import { announcements } from '../messages/announcements/tables.ts'
import { dojoIdOf } from '../test/fixtures.ts'
import { createGradingDojo } from '../test/grading-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const { sensei, phone, leo, plan, invite } = await createGradingDojo(server)
const saturdayClass = (
  await sensei.post('/classes', {
    class_name: 'Saturday',
    description: 'All',
    class_days: ['saturday'],
    class_start_time: '9:00 AM',
    class_end_time: '10:00 AM',
  })
).body
const grading = (await plan()).body

const MISSPELLED_TEXT = 'Hi {Name}, please read this.'
const sendBulk = (message_type: string, custom_message: string) =>
  sensei.post('/sms/send-bulk-message', {
    message_type,
    custom_message,
    selected_classes: [saturdayClass.id],
  })
const expectedRefusal = (field: string) => ({
  status: 422,
  detail: '{Name} can’t be filled in. Use {name} instead.',
  fields: [field],
})

/** Every endpoint that sends a text or stores one for sending. */
const ENDPOINTS: [
  name: string,
  field: string,
  send: (text: string) => ReturnType<typeof sensei.post>,
][] = [
  ['a special message', 'custom_message', (text) => sendBulk('special_announcement', text)],
  ['a weather cancellation', 'custom_message', (text) => sendBulk('weather_cancel', text)],
  ['the text of a class date', 'custom_message', (text) => sendBulk('class_cancel', text)],
  ['a monthly fee reminder', 'custom_message', (text) => sendBulk('monthly_fee', text)],
  ['a late fee reminder', 'custom_message', (text) => sendBulk('late_fee', text)],
  [
    'a reply',
    'text',
    (text) => sensei.post(`/sms/conversations/${encodeURIComponent(phone)}/messages`, { text }),
  ],
  [
    'a text to a person',
    'text',
    (text) => sensei.post('/sms/messages', { student_ids: [leo.id], text }),
  ],
  [
    'a text to a student at risk',
    'text',
    (text) => sensei.post('/slipping-away/texts', { student_ids: [leo.id], text }),
  ],
  ['a new template', 'text', (text) => sensei.post('/sms/templates', { name: 'Water', text })],
  [
    'a changed template',
    'text',
    async (text) => {
      const template = await sensei.post('/sms/templates', { name: 'Bow', text: 'Please bow.' })
      return sensei.put(`/sms/templates/${template.body.id}`, { name: 'Bow', text })
    },
  ],
  ['an invitation to a grading', 'text', (text) => invite(grading.id, [leo], text)],
  [
    'a notification',
    'message',
    (message) => sensei.post('/notifications/send', { title: 'News', message }),
  ],
  [
    'a fee notification',
    'custom_message',
    (custom_message) => sensei.post('/notifications/send-fee-reminder', { custom_message }),
  ],
]

test.each(ENDPOINTS)('refuses %s with a misspelled placeholder', async (_, field, send) => {
  const { status, body } = await send(MISSPELLED_TEXT)
  const fields = body.errors?.map((error: { field: string }) => error.field)
  expect({ status, detail: body.detail, fields }).toEqual(expectedRefusal(field))
  expect((await send('Hi {name}, [see map] at 6 < 7.')).status).toBe(200)
})

const FEE_ENDPOINTS = new Set([
  'a monthly fee reminder',
  'a late fee reminder',
  'a fee notification',
])

test.each(ENDPOINTS)('accepts an amount in %s only if it is about fees', async (name, _, send) => {
  const { status, body } = await send('You owe {amount}.')
  const problem = FEE_ENDPOINTS.has(name)
    ? undefined
    : '{amount} only works in fee messages. Type the amount instead.'
  expect([status, body.detail]).toEqual([problem ? 422 : 200, problem])
})

test('refuses placeholders in a title and in the reason of a cancellation', async () => {
  const titleResponse = await sensei.post('/notifications/send', {
    title: 'Hi {name}',
    message: 'News',
  })
  expect([titleResponse.status, titleResponse.body.detail]).toEqual([
    422,
    '{name} can’t be filled in here. Please remove it.',
  ])
  const cancelResponse = await sensei.put('/class-dates/cancelled', {
    class_id: saturdayClass.id,
    day: '2027-03-06',
    reason: '[date]',
  })
  expect(cancelResponse.status).toBe(422)
})

test('refuses placeholders in the name and place of a grading', async () => {
  const planResponses = [await plan({ name: 'Hi {Name}' }), await plan({ place: 'Hall {Name}' })]
  expect(planResponses.map(({ status, body }) => [status, body.detail])).toEqual([
    [422, '{Name} can’t be filled in here. Please remove it.'],
    [422, '{Name} can’t be filled in here. Please remove it.'],
  ])
})

test('refuses an old announcement with a misspelled placeholder as a fee reminder', async () => {
  const oldAnnouncement = { title: 'Old', category: 'fee', content: 'Hi [first name]' }
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await server.db.inDojo(dojoId, (tx) => tx.insert(announcements).values(oldAnnouncement))
  const [storedAnnouncement] = (await sensei.get('/announcements')).body
  const { status, body } = await sensei.post('/notifications/send-fee-reminder', {
    announcement_id: storedAnnouncement.id,
  })
  expect([status, body.errors[0].field]).toEqual([422, 'custom_message'])
})

test('accepts any placeholder in texts to the dojo', async () => {
  const writeResponse = await sensei.post('/sms/simulated/incoming', {
    phone_number: phone,
    text: MISSPELLED_TEXT,
  })
  expect(writeResponse.status).toBe(200)
})
