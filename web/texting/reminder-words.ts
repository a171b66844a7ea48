import { textingApi } from '@tatami/contract/texting'
import type { Reminder } from '@tatami/contract/message-types'

/** The three reminders, with the day of the month that brings each (specification, section 9), and the call that sends it by hand. */
export const REMINDER_WORDS = {
  pre_due: { name: 'Pre Due', day: 'The day before the month starts', send: textingApi.sendPreDue },
  on_due: { name: 'On Due', day: 'On the 1st', send: textingApi.sendOnDue },
  post_due: { name: 'Post Due', day: 'On the 2nd', send: textingApi.sendPostDue },
} as const satisfies Record<Reminder, object>
