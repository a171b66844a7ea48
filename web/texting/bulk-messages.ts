import type { Month } from '@tatami/contract/lib/calendar-day'
import { textingApi } from '@tatami/contract/texting/texting'
import type { Input } from '@tatami/contract/lib/endpoint'
import {
  AMOUNT,
  ANNOUNCEMENT_HEADINGS,
  isFeeMessage,
  type MessageType,
  type Reminder,
} from '@tatami/contract/texting/message-types'
import { formatMonth } from '../lib/month.ts'

type BulkMessageText = {
  title: string
  type: string
  failed: string
  words: (month: Month) => string
  example?: string
}

const PLEASE_PAY = 'has not been paid yet. Please pay as soon as you can.'
const NO_TEXT = () => ''

/** Class cancellations are written in the schedule, not in the Message Center. */
export type WrittenType = Exclude<MessageType, 'class_cancel'>

export const BULK_MESSAGES: Record<WrittenType, BulkMessageText> = {
  special_announcement: {
    title: 'Special Message',
    type: 'Special Message',
    failed: 'Failed to send SMS messages',
    words: NO_TEXT,
    example: 'Hi {name}, our open house is on Saturday at 10 AM.',
  },
  // No default text, because an accidental press would keep every student at home.
  weather_cancel: {
    title: 'Weather Cancellation Notice',
    type: ANNOUNCEMENT_HEADINGS.weather_cancel.title,
    failed: 'Failed to send weather cancellation',
    words: NO_TEXT,
    example: 'Hi {name}, there is no class today because of the weather.',
  },
  monthly_fee: {
    title: ANNOUNCEMENT_HEADINGS.monthly_fee.title,
    type: ANNOUNCEMENT_HEADINGS.monthly_fee.title,
    failed: 'Failed to send monthly fee reminders',
    words: (month) => `Hi {name}, your fee for ${formatMonth(month)} is due. Thank you!`,
  },
  late_fee: {
    title: ANNOUNCEMENT_HEADINGS.late_fee.title,
    type: ANNOUNCEMENT_HEADINGS.late_fee.title,
    failed: 'Failed to send late fee reminders',
    words: (month) =>
      `Hi {name}, our records show that your fee for ${formatMonth(month)} ${PLEASE_PAY}`,
  },
}

export type BulkMessageForm = {
  custom_message: string
  selected_classes: string[]
  selected_month: number
  selected_year: number
  /** Set for reminders about all past-due months */
  selected_students: string[] | null
}

export const OWED_WORDS = `Hi {name}, our records show that ${AMOUNT} ${PLEASE_PAY}`
export type Message = Input<typeof textingApi.sendBulk>['body']

export const needsClasses = (type: MessageType) => type === 'special_announcement'
export const monthIn = ({ selected_month, selected_year }: BulkMessageForm): Month => ({
  month: selected_month,
  year: selected_year,
})

/** No selected class means all students, except for a special message. */
export function messageOf(
  type: MessageType,
  { custom_message, selected_classes, selected_students, ...month }: BulkMessageForm,
): Message {
  if (type === 'special_announcement')
    return { message_type: type, custom_message, selected_classes }
  if (selected_students)
    return { message_type: type, custom_message, selected_students, amount_of: 'balance' }
  const classIds = selected_classes.length > 0 ? selected_classes : null
  const unpaidIn = isFeeMessage(type) && { ...month, exclude_paid_students: true }
  return { message_type: type, custom_message, selected_classes: classIds, ...unpaidIn }
}

/** The days are specified in section 9. */
export const REMINDER_DETAILS = {
  pre_due: { name: 'Pre Due', day: 'The day before the month starts', send: textingApi.sendPreDue },
  on_due: { name: 'On Due', day: 'On the 1st', send: textingApi.sendOnDue },
  post_due: { name: 'Post Due', day: 'On the 2nd', send: textingApi.sendPostDue },
} as const satisfies Record<Reminder, object>
