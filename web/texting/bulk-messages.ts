import type { Month } from '@tatami/contract/lib/calendar-day'
import { textingApi } from '@tatami/contract/texting/texting'
import type { Input } from '@tatami/contract/lib/endpoint'
import {
  AMOUNT_PLACEHOLDER,
  ANNOUNCEMENT_HEADINGS,
  isFeeMessage,
  type MessageType,
  type Reminder,
} from '@tatami/contract/texting/message-types'
import { formatMonth } from '../lib/month.ts'

type BulkMessageText = {
  title: string
  name: string
  failureTitle: string
  defaultText: (month: Month) => string
  example?: string
}

const PLEASE_PAY = 'has not been paid yet. Please pay as soon as you can.'
const noDefaultText = () => ''

/** The messages that people write in the Message Center. They cancel classes on the Schedule. */
export type WrittenType = Exclude<MessageType, 'class_cancel'>

export const BULK_MESSAGES: Record<WrittenType, BulkMessageText> = {
  special_announcement: {
    title: 'Special Message',
    name: 'Special Message',
    failureTitle: 'Failed to send SMS messages',
    defaultText: noDefaultText,
    example: 'Hi {name}, our open house is on Saturday at 10 AM.',
  },
  // There is no default text, because sending it by accident would keep every student at home.
  weather_cancel: {
    title: 'Weather Cancellation Notice',
    name: ANNOUNCEMENT_HEADINGS.weather_cancel.title,
    failureTitle: 'Failed to send weather cancellation',
    defaultText: noDefaultText,
    example: 'Hi {name}, there is no class today because of the weather.',
  },
  monthly_fee: {
    title: ANNOUNCEMENT_HEADINGS.monthly_fee.title,
    name: ANNOUNCEMENT_HEADINGS.monthly_fee.title,
    failureTitle: 'Failed to send monthly fee reminders',
    defaultText: (month) => `Hi {name}, your fee for ${formatMonth(month)} is due. Thank you!`,
  },
  late_fee: {
    title: ANNOUNCEMENT_HEADINGS.late_fee.title,
    name: ANNOUNCEMENT_HEADINGS.late_fee.title,
    failureTitle: 'Failed to send late fee reminders',
    defaultText: (month) =>
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

export const BALANCE_TEXT = `Hi {name}, our records show that ${AMOUNT_PLACEHOLDER} ${PLEASE_PAY}`
export type MessageRequest = Input<typeof textingApi.sendBulk>['body']

export const needsClasses = (type: MessageType) => type === 'special_announcement'
export const readSelectedMonth = ({ selected_month, selected_year }: BulkMessageForm): Month => ({
  month: selected_month,
  year: selected_year,
})

/** No selected class means all students, except for a special message. */
export function createMessageRequest(
  type: MessageType,
  { custom_message, selected_classes, selected_students, ...month }: BulkMessageForm,
): MessageRequest {
  if (type === 'special_announcement')
    return { message_type: type, custom_message, selected_classes }
  if (selected_students)
    return { message_type: type, custom_message, selected_students, amount_of: 'balance' }
  const classIds = selected_classes.length > 0 ? selected_classes : null
  const unpaidFilter = isFeeMessage(type) && { ...month, exclude_paid_students: true }
  return { message_type: type, custom_message, selected_classes: classIds, ...unpaidFilter }
}

/** The days are in section 9 of the specification. */
export const REMINDER_DETAILS = {
  pre_due: { name: 'Pre Due', day: 'The day before the month starts', send: textingApi.sendPreDue },
  on_due: { name: 'On Due', day: 'On the 1st', send: textingApi.sendOnDue },
  post_due: { name: 'Post Due', day: 'On the 2nd', send: textingApi.sendPostDue },
} as const satisfies Record<Reminder, object>
