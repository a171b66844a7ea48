import { expect, test } from 'vitest'
import { groupTextsByPhone } from './simulated-phones.ts'

const createSentText = (id: string, name: string, phone_number: string, sent_at: string) => ({
  id,
  student_id: name,
  name,
  students: name.split(', ').map((student) => ({ student_id: student, name: student })),
  phone_number,
  text: `Hi ${name}`,
  state: 'delivered' as const,
  sent_at,
})
const createReceivedText = (phone_number: string, text: string, received_at: string) => ({
  id: text,
  student_id: null,
  name: null,
  phone_number,
  text,
  wish: null,
  received_at,
  read_at: null,
})

test('groups texts by phone, starting with the newest conversation, and sorts them by time', () => {
  const sentTexts = [
    createSentText('3', 'Leo, Mia', '+1', '2026-03-01T12:00:03Z'),
    createSentText('2', 'Ken', '+2', '2026-03-01T12:00:02Z'),
    createSentText('1', 'Mia', '+1', '2026-03-01T12:00:01Z'),
  ]
  const autoReplies = [
    { id: 'auto-reply', phone: '+2', at: '2026-03-01T12:01:01Z', text: 'You are unsubscribed' },
  ]
  const phones = groupTextsByPhone(
    sentTexts,
    [
      createReceivedText('+2', 'STOP', '2026-03-01T12:01:00Z'),
      createReceivedText('+9', 'From a phone that got no text', '2026-03-01T12:05:00Z'),
    ],
    autoReplies,
  )
  expect(
    phones.map(({ phone, students, latestId, bubbles }) => [
      phone,
      students.map(({ name }) => name),
      latestId,
      bubbles.map(({ text }) => text),
    ]),
  ).toEqual([
    ['+2', ['Ken'], '2', ['Hi Ken', 'STOP', 'You are unsubscribed']],
    ['+1', ['Leo', 'Mia'], '3', ['Hi Mia', 'Hi Leo, Mia']],
  ])
})
