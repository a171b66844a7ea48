import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { clearable, pageQuery, singleLineText, success, uuid } from '../lib/fields.ts'
import { outgoingLine, outgoingText } from '../texting/outgoing-text.ts'

/** Length on the student's dashboard (specification, section 9). */
const SHOWN_CHARACTERS = 100

export function truncate(content: string, max = SHOWN_CHARACTERS): string {
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

const ids = (label: string) =>
  z
    .array(uuid(label), { error: `${label} is not valid` })
    .max(5000)
    .nullish()

export const newNotification = z.object({
  title: outgoingLine('Title', 120),
  message: outgoingText('Message', 1600),
  category: clearable(singleLineText('Category', 40)),
  class_ids: ids('Class'),
  student_ids: ids('Student'),
})
export type NewNotification = z.output<typeof newNotification>

export const feeReminder = z.object({
  announcement_id: uuid('Announcement').nullish(),
  custom_message: clearable(outgoingText('Message', 1600, 'name-and-amount')),
})
export type FeeReminder = z.output<typeof feeReminder>

const recipientCount = success.extend({ total_recipients: z.number() })
export const announcementsApi = {
  list: {
    method: 'GET',
    path: '/announcements',
    access: 'member',
    summary: "The dojo's announcements; for students and guardians, those meant for them",
    query: pageQuery,
    reply: z.array(announcement),
  },
  send: {
    method: 'POST',
    path: '/notifications/send',
    access: 'instructor',
    summary:
      'Notify all students, or those of some classes or named, in the app, and keep it as an ' +
      'announcement. Sends no text',
    idempotent: true,
    body: newNotification,
    reply: recipientCount,
  },
  sendFeeReminder: {
    method: 'POST',
    path: '/notifications/send-fee-reminder',
    access: 'instructor',
    summary:
      'Remind in the app everyone who has not paid this month and is neither on trial nor on ' +
      'vacation. Sends no text',
    idempotent: true,
    body: feeReminder,
    reply: recipientCount,
  },
} as const satisfies Api
