import { formatMoneyInText, sumDollars } from '../lib/money.ts'
import { firstName } from '../lib/name-parts.ts'

/** Reminders about the monthly fee: the day before it is due, that day, and the day after. */
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

/** `place_given` tells a student on a waitlist about a free place, `autopay` is for a payer,
 *  `trial` for a visitor who booked a trial, `first_days` for a student in the first 90 days,
 *  `auto_reply` answers a command, and `test` goes to the instructor. */
export const BATCH_KINDS = [
  ...MESSAGE_TYPES,
  ...REMINDERS,
  'welcome',
  'place_given',
  'autopay',
  'trial',
  'first_days',
  'reply',
  'auto_reply',
  'test',
] as const
export type BatchKind = (typeof BATCH_KINDS)[number]

/** Texts of these kinds are shown only in their conversation, not in the message history. */
export const CONVERSATION_KINDS = [
  'reply',
  'auto_reply',
  'test',
  'trial',
] as const satisfies BatchKind[]

export const isFeeMessage = (kind: BatchKind): boolean =>
  kind === 'monthly_fee' || kind === 'late_fee'

export const isReminder = (kind: BatchKind): boolean =>
  REMINDERS.some((reminder) => reminder === kind)

/** Recipients can reply OK to show that they have read a cancellation. */
export const isCancellation = (kind: BatchKind): boolean =>
  kind === 'weather_cancel' || kind === 'class_cancel'

export const REMINDER_TEXTS: Record<Reminder, string> = {
  pre_due: 'Hi {name}, a friendly reminder that your monthly fee is due on the 1st.',
  on_due: 'Hi {name}, your monthly fee is due today. Thank you!',
  post_due: 'Hi {name}, your monthly fee is now past due. Please pay as soon as you can.',
}
export const WELCOME_TEXT =
  'Hi {name}, welcome to the dojo! We will text you about classes and fees. Reply STOP to ' +
  'stop, HELP for help.'

/** To the instructor's own phone. */
export const testText = (dojoName: string): string => `A test from ${dojoName}: your texts arrive.`

export const ANNOUNCEMENT_HEADINGS: Record<MessageType, { title: string; category: string }> = {
  monthly_fee: { title: 'Monthly Fee Reminder', category: 'fee' },
  late_fee: { title: 'Late Fee Reminder', category: 'fee' },
  weather_cancel: { title: 'Weather Cancellation', category: 'weather' },
  special_announcement: { title: 'Special Announcement', category: 'general' },
  class_cancel: { title: 'Class Canceled', category: 'general' },
}

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
  autopay: 'Autopay',
  trial: 'Trial',
  first_days: 'First 90 days',
  reply: 'Message',
  auto_reply: 'Automatic reply',
  test: 'Test text',
}

/** During an update, a newer server may send a kind of text that this version does not know yet. */
export const batchName = (kind: BatchKind): string =>
  isReminder(kind) ? `${BATCH_NAMES[kind]} reminder` : (BATCH_NAMES[kind] ?? BATCH_NAMES.reply)

export const SAMPLE_NAME = 'Alex'

const MAX_NAMES = 6

/** "Leo", "Leo and Mia", "Leo, Mia and Ana". More than six names end with "and 3 others". */
export function firstNames(names: readonly string[]): string {
  const uniqueNames = [...new Set(names.map(firstName))]
  if (uniqueNames.length < 2) return uniqueNames.join('')
  const listedNames =
    uniqueNames.length > MAX_NAMES ? uniqueNames.slice(0, MAX_NAMES - 1) : uniqueNames.slice(0, -1)
  const otherCount = uniqueNames.length - listedNames.length
  const lastPart = otherCount === 1 ? uniqueNames.at(-1) : `${otherCount} others`
  return `${listedNames.join(', ')} and ${lastPart}`
}

export const NAME_PLACEHOLDER = '{name}'
export const AMOUNT_PLACEHOLDER = '{amount}'
export const SAMPLE_AMOUNT = 85

/** A student that a text is about. */
export type MentionedStudent = {
  name: string
  amount?: number | null | undefined
  /** Where the student's payer can pay online. */
  payLink?: string | null | undefined
}

/** Fills in names and amounts, and ends with the links to pay, if there are any. */
export function fillTemplate(template: string, students: readonly MentionedStudent[]): string {
  const links = [...new Set(students.flatMap(({ payLink }) => payLink ?? []))]
  const text = fillPlaceholders(template, students)
  return links.length > 0 ? `${text}\nPay online: ${links.join(' ')}` : text
}

function fillPlaceholders(template: string, students: readonly MentionedStudent[]): string {
  const amounts = students.flatMap(({ amount }) => (typeof amount === 'number' ? [amount] : []))
  const textWithNames = template.replaceAll(NAME_PLACEHOLDER, () =>
    firstNames(students.map(({ name }) => name)),
  )
  if (amounts.length === 0) return textWithNames
  return textWithNames.replaceAll(AMOUNT_PLACEHOLDER, () => formatMoneyInText(sumDollars(amounts)))
}

/** Why a student gets no text, in the order in which this is checked. The last two reasons are
 *  for delayed automatic reminders. */
export const SKIP_REASON_LABELS = {
  not_in_class: 'Not in the selected classes',
  vacation: 'On vacation',
  trial: 'On trial',
  paid: 'Paid for the month',
  owes_nothing: 'Owes nothing',
  not_late: 'Not past due yet',
  promised: 'Will pay later',
  on_its_way: 'Payment on its way',
  autopaid: 'Autopay will pay it',
  awaits_approval: 'Not approved yet',
  left: 'Former student',
  no_valid_phone: 'No valid phone number',
  opted_out: 'Opted out of texts',
  reminders_off: 'Reminders were off',
  month_over: 'The month was over',
} as const
export type SkipReason = keyof typeof SKIP_REASON_LABELS

const PROMISE_DAY_FORMAT = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'long',
  month: 'long',
  day: 'numeric',
})
export const promiseLabel = (day: string): string =>
  `Will pay by ${PROMISE_DAY_FORMAT.format(new Date(day))}`

type SkippedText = { reason: SkipReason; promised_on?: string | null | undefined }

/** The stored form of a reason. A promise includes its day: "promised 2026-11-27". */
export const encodeSkipReason = ({ reason, promised_on }: SkippedText): string =>
  reason === 'promised' && promised_on ? `${reason} ${promised_on}` : reason

export function describeSkipReason(storedReason: string): string {
  const [reasonCode, day] = storedReason.split(' ')
  if (reasonCode === 'promised' && day) return promiseLabel(day)
  const reason = SKIP_REASONS.find((skipReason) => skipReason === reasonCode)
  return reason ? SKIP_REASON_LABELS[reason] : storedReason
}

export const SKIP_REASONS = Object.keys(SKIP_REASON_LABELS) as [SkipReason, ...SkipReason[]]

export const LIMIT_REACHED = 'Daily limit reached. Resets at midnight UTC.'

export const TEST_MODE = 'Test mode: no text leaves this computer'

export const SERVICE_ERROR_MESSAGES = {
  connectivity: 'SMS service is not accessible',
  network: 'Network error during SMS initialization',
  initialization: 'Failed to initialize SMS service',
  authentication: 'The text service does not accept our credentials',
} as const
