import { z } from 'zod'
import type { Api } from './endpoint.ts'
import { choice, done, idOf, line, optional, pageQuery, paragraph } from './fields.ts'
import { REMINDERS } from './message-words.ts'
import { bulkDraft, bulkMessage, preview, sentBulk } from './bulk-message.ts'

/** How much of an announcement the student's dashboard shows (specification, section 9). */
const SHOWN_CHARACTERS = 100

/** Whole characters, however many code units each takes. */
export function truncated(content: string, max = SHOWN_CHARACTERS): string {
  const characters = Array.from(content)
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : content
}

export const announcement = z.object({
  id: z.uuid(),
  title: z.string(),
  category: z.string(),
  content: z.string(),
  created_at: z.string(),
})
export type Announcement = z.output<typeof announcement>

const ids = (label: string) =>
  z
    .array(idOf(label), { error: `${label} is not valid` })
    .max(5000)
    .nullish()

export const newNotification = z.object({
  title: line('Title', 120),
  message: paragraph('Message', 1600),
  category: optional(line('Category', 40)),
  /** Left out, both mean all students. */
  class_ids: ids('Class'),
  student_ids: ids('Student'),
})
export type NewNotification = z.output<typeof newNotification>

export const feeReminder = z.object({
  announcement_id: idOf('Announcement').nullish(),
  custom_message: optional(paragraph('Message', 1600)),
})
export type FeeReminder = z.output<typeof feeReminder>

/** What sending a reminder by hand would do, for the month that it is for now, and whether it has gone out for that month. */
const reminderPreview = preview.extend({ month: z.iso.date(), has_gone_out: z.boolean() })
export type ReminderPreview = z.output<typeof reminderPreview>

const sent = done.extend({ total_recipients: z.number() })
/** `unless_sent=true` sends nothing (409) where the reminder has gone out for its month meanwhile, by itself or by another's hand. */
const byHand = z.object({ unless_sent: choice('unless_sent', ['true']).optional() })
export type ByHand = z.output<typeof byHand>

export const announcementsApi = {
  list: {
    method: 'GET',
    path: '/announcements',
    access: 'member',
    summary: "The dojo's announcements; a student's, those meant for them",
    query: pageQuery,
    reply: z.array(announcement),
  },
  send: {
    method: 'POST',
    path: '/notifications/send',
    access: 'instructor',
    summary: 'Notify students, and keep it as an announcement',
    idempotent: true,
    body: newNotification,
    reply: sent,
  },
  sendFeeReminder: {
    method: 'POST',
    path: '/notifications/send-fee-reminder',
    access: 'instructor',
    summary: 'Remind everyone who has not paid this month',
    idempotent: true,
    body: feeReminder,
    reply: sent,
  },
  sendBulk: {
    method: 'POST',
    path: '/sms/send-bulk-message',
    access: 'instructor',
    summary: 'Text students; a repeated Idempotency-Key gets the first answer',
    idempotent: true,
    body: bulkMessage,
    reply: sentBulk,
  },
  preview: {
    method: 'POST',
    path: '/sms/preview',
    access: 'instructor',
    summary: 'Who would get a text, how it reads, and why others get none',
    body: bulkDraft,
    reply: preview,
  },
  previewReminder: {
    method: 'GET',
    path: '/sms/reminders/:reminder/preview',
    access: 'instructor',
    summary: 'Who would get a reminder sent by hand now, why others get none, and for which month',
    params: z.object({ reminder: choice('Reminder', REMINDERS) }),
    reply: reminderPreview,
  },
  sendPreDue: {
    method: 'POST',
    path: '/sms/send-pre-due-reminder',
    access: 'instructor',
    summary: 'Send the reminder of the fee due next month',
    idempotent: true,
    query: byHand,
    reply: sent,
  },
  sendOnDue: {
    method: 'POST',
    path: '/sms/send-on-due-reminder',
    access: 'instructor',
    summary: 'Send the reminder of the fee due this month',
    idempotent: true,
    query: byHand,
    reply: sent,
  },
  sendPostDue: {
    method: 'POST',
    path: '/sms/send-post-due-reminder',
    access: 'instructor',
    summary: 'Send the reminder of the fee past due this month',
    idempotent: true,
    query: byHand,
    reply: sent,
  },
} as const satisfies Api
