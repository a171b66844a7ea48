import { formatMoneyInText, sumDollars } from '../lib/money.ts'
import { firstName } from '../lib/name-parts.ts'

export const REMINDERS = ['pre_due', 'on_due', 'post_due'] as const
export type Reminder = (typeof REMINDERS)[number]

export const MESSAGE_TYPES = [
  'monthly_fee',
  'late_fee',
  'weather_cancel',
  'special_announcement',
  'class_cancel',
] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** Everything that goes out as texts; `welcome` greets one new student, `place_given` tells who waited of
 *  a place, `reply` is written to one phone or to a few students, and
 *  `auto_reply` answers a command. */
export const BATCH_KINDS = [
  ...MESSAGE_TYPES,
  ...REMINDERS,
  'welcome',
  'place_given',
  'reply',
  'auto_reply',
] as const
export type BatchKind = (typeof BATCH_KINDS)[number]

/** What belongs to a conversation only, and not to the list of what was sent to students. */
export const CONVERSATION_KINDS = ['reply', 'auto_reply'] as const satisfies BatchKind[]

/** Asked of those who pay: nobody on trial gets one. */
export const isFeeMessage = (kind: BatchKind): boolean =>
  kind === 'monthly_fee' || kind === 'late_fee'

export const isReminder = (kind: BatchKind): boolean =>
  (REMINDERS as readonly string[]).includes(kind)

/** Whoever gets one may still come: an OK says that they have read it. `class_cancel` is of one date, for another reason than the weather. */
export const isCancellation = (kind: BatchKind): boolean =>
  kind === 'weather_cancel' || kind === 'class_cancel'

/** What the automated reminders say (docs/modules/messages-reminders.md). */
export const REMINDER_TEXTS: Record<Reminder, string> = {
  pre_due: 'Hi {name}, a friendly reminder that your monthly fee is due on the 1st.',
  on_due: 'Hi {name}, your monthly fee is due today. Thank you!',
  post_due: 'Hi {name}, your monthly fee is now past due. Please pay as soon as you can.',
}
export const WELCOME_TEXT =
  'Hi {name}, welcome to the dojo! We will text you about classes and fees. Reply STOP to stop, HELP for help.'

/** What a text to students is called where it also stands as an announcement. */
export const ANNOUNCEMENT_HEADINGS: Record<MessageType, { title: string; category: string }> = {
  monthly_fee: { title: 'Monthly Fee Reminder', category: 'fee' },
  late_fee: { title: 'Late Fee Reminder', category: 'fee' },
  weather_cancel: { title: 'Weather Cancellation', category: 'weather' },
  special_announcement: { title: 'Special Announcement', category: 'general' },
  class_cancel: { title: 'Class Cancelled', category: 'general' },
}

/** What each is called on the screens. */
const BATCH_NAMES: Record<BatchKind, string> = {
  monthly_fee: ANNOUNCEMENT_HEADINGS.monthly_fee.title,
  late_fee: ANNOUNCEMENT_HEADINGS.late_fee.title,
  weather_cancel: ANNOUNCEMENT_HEADINGS.weather_cancel.title,
  special_announcement: 'Special Message',
  class_cancel: ANNOUNCEMENT_HEADINGS.class_cancel.title,
  pre_due: 'Pre Due',
  on_due: 'On Due',
  post_due: 'Post Due',
  welcome: 'Welcome message',
  place_given: 'Free place',
  reply: 'Message',
  auto_reply: 'Automatic answer',
}

/** What a batch is called in the history: "Weather Cancellation", "Pre Due reminder". During an update a server may find one of a kind that
 *  only the newer version knows. */
export const batchName = (kind: BatchKind): string =>
  isReminder(kind) ? `${BATCH_NAMES[kind]} reminder` : (BATCH_NAMES[kind] ?? BATCH_NAMES.reply)

export const SAMPLE_NAME = 'Alex'

/** So many first names stand in a text; the others are counted. */
const MOST_NAMES = 6

/** "Leo", "Leo and Mia", "Leo, Mia and Ana"; one first name is said once. */
export function firstNames(names: readonly string[]): string {
  const uniqueNames = [...new Set(names.map(firstName))]
  const listedNames =
    uniqueNames.length > MOST_NAMES
      ? [...uniqueNames.slice(0, MOST_NAMES - 1), `${uniqueNames.length - MOST_NAMES + 1} others`]
      : uniqueNames
  return listedNames.length < 2
    ? (listedNames[0] ?? '')
    : `${listedNames.slice(0, -1).join(', ')} and ${listedNames.at(-1)}`
}

export const NAME = '{name}',
  AMOUNT = '{amount}'
export const SAMPLE_AMOUNT = 85

/** Whom a text is about, and in a message about fees what is to pay for them, in dollars. */
export type TextSubject = { name: string; amount?: number | null | undefined }

/** `{name}` becomes the first name, or the first names of all whom one text is about, and in a message about fees `{amount}` what is to pay
 *  for them together; nothing else is substituted. */
export function fillTemplate(template: string, subjects: readonly TextSubject[]): string {
  const amounts = subjects.flatMap(({ amount }) => (typeof amount === 'number' ? [amount] : []))
  const textWithNames = template.replaceAll(NAME, () =>
    firstNames(subjects.map(({ name }) => name)),
  )
  if (amounts.length === 0) return textWithNames
  return textWithNames.replaceAll(AMOUNT, () => formatMoneyInText(sumDollars(amounts)))
}

/** Why somebody gets no text, in the order in which it is asked; the last two of a reminder that waited for a day with room. */
export const SKIP_REASON_LABELS = {
  not_in_class: 'Not in the chosen classes',
  vacation: 'On vacation',
  trial: 'On trial',
  paid: 'Paid for the month',
  owes_nothing: 'Owes nothing',
  not_late: 'Not late yet',
  promised: 'Promised to pay',
  awaits_approval: 'Joined, not approved yet',
  no_valid_phone: 'No valid phone number',
  opted_out: 'Opted out of texts',
  reminders_off: 'Reminders were switched off',
  month_over: 'Its month was over',
} as const
export type SkipReason = keyof typeof SKIP_REASON_LABELS
/** "Promised to pay by Friday, November 27" */
export const promiseWords = (day: string): string =>
  `${SKIP_REASON_LABELS.promised} by ${new Date(day).toLocaleDateString('en-US', { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' })}`

/** A reason as it is stored, a promise's with its day, and in words. */
export const storedSkipReason = ({
  reason,
  promised_on,
}: {
  reason: SkipReason
  promised_on?: string | null | undefined
}): string => (reason === 'promised' && promised_on ? `${reason} ${promised_on}` : reason)
export const skipReasonWords = (storedReason: string): string => {
  const [reason, day] = storedReason.split(' ')
  return reason === 'promised' && day ? promiseWords(day) : SKIP_REASON_LABELS[reason as SkipReason]
}
export const SKIP_REASONS = Object.keys(SKIP_REASON_LABELS) as [SkipReason, ...SkipReason[]]

export const LIMIT_REACHED = 'Daily limit reached. Resets at midnight UTC.'

/** What is said wherever texts are simulated. */
export const TEST_MODE = 'Test mode: no text leaves this computer'

/** What is said of the text service, by the type of its failure. */
export const SERVICE_ERROR_MESSAGES = {
  connectivity: 'SMS service is not accessible',
  network: 'Network error during SMS initialization',
  initialization: 'Failed to initialize SMS service',
  authentication: 'The text service does not accept our credentials',
} as const
