import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { clearable, pageQuery, singleLineText, success, uuid } from '../lib/fields.ts'
import { TEXT_MAX } from '../texting/bulk-message.ts'
import { outgoingLine, outgoingText } from '../texting/outgoing-text.ts'

const DASHBOARD_EXCERPT_MAX = 100

export function truncate(content: string, max = DASHBOARD_EXCERPT_MAX): string {
  const characters = Array.from(content)
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : content
}

const announcement = z.object({
  id: z.uuid(),
  title: z.string(),
  category: z.string(),
  content: z.string(),
  created_at: z.string(),
})
export type Announcement = z.output<typeof announcement>

const MAX_RECIPIENT_IDS = 5000

const optionalIds = (label: string) =>
  z
    .array(uuid(label), { error: `${label} is not valid` })
    .max(MAX_RECIPIENT_IDS)
    .nullish()

export const newAnnouncement = z.object({
  title: outgoingLine('Title', 120),
  message: outgoingText('Message', TEXT_MAX),
  category: clearable(singleLineText('Category', 40)),
  class_ids: optionalIds('Class'),
  student_ids: optionalIds('Student'),
})
export type NewAnnouncement = z.output<typeof newAnnouncement>

export const feeReminder = z.object({
  /** Without a custom message, the text of this announcement is sent again. */
  announcement_id: uuid('Announcement').nullish(),
  custom_message: clearable(outgoingText('Message', TEXT_MAX, 'name-and-amount')),
})
export type FeeReminder = z.output<typeof feeReminder>

const recipientCount = success.extend({ total_recipients: z.number() })

export const announcementsApi = {
  list: {
    method: 'GET',
    path: '/announcements',
    access: 'member',
    right: 'texts.read',
    summary: "The dojo's announcements. Students and guardians see only those meant for them",
    query: pageQuery,
    reply: z.array(announcement),
  },
  send: {
    method: 'POST',
    path: '/notifications/send',
    access: 'instructor',
    right: 'texts.send',
    summary:
      'Announce something in the app to all students, to those of some classes, or to some ' +
      'students. Sends no texts',
    idempotent: true,
    body: newAnnouncement,
    reply: recipientCount,
  },
  sendFeeReminder: {
    method: 'POST',
    path: '/notifications/send-fee-reminder',
    access: 'instructor',
    right: ['texts.send', 'money.see'],
    summary:
      'Send a reminder in the app to everyone who has not paid this month and is neither on ' +
      'trial nor on vacation. Sends no texts',
    idempotent: true,
    body: feeReminder,
    reply: recipientCount,
  },
} as const satisfies Api
