import { addDays, utcMidnight } from '../lib/calendar-day.ts'

export const CANCEL_REASONS = ['Weather', 'Instructor ill', 'Hall closed'] as const

const longDay = (day: string) =>
  utcMidnight(day).toLocaleDateString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })

const onDay = (day: string, today: string): string =>
  day === today ? 'today' : day === addDays(today, 1) ? 'tomorrow' : `on ${longDay(day)}`

type NamedDate = { class_name: string; day: string; start_time: string | null }

export const dateWords = ({ class_name, day, start_time }: NamedDate, today: string): string =>
  `${class_name} ${onDay(day, today)}${start_time ? `, ${start_time}` : ''}`

export const PLACE_IS_FREE = 'A place is free'

export const placeWords = (name: string, date: NamedDate, today: string): string =>
  `${name} has a place: ${dateWords(date, today)}.`

/** Siblings who share a phone share the text. */
export const placeText = (date: NamedDate, today: string): string =>
  `${PLACE_IS_FREE}: {name} can come to ${dateWords(date, today)}. ` +
  'If you cannot make it, please tell us.'

/** "weather", but "Hurricane Ida" */
const inSentence = (reason: string) =>
  (CANCEL_REASONS as readonly string[]).includes(reason)
    ? reason.toLowerCase()
    : reason.replace(/[.!\s]+$/, '')

export const cancelledWords = (date: NamedDate, reason: string, today: string): string =>
  `${dateWords(date, today)} is canceled${inSentence(reason) ? `: ${inSentence(reason)}` : ''}.`

/** At most 400 characters. contract/texting/message-types.ts knows the answer OK. */
export const cancellationText = (date: NamedDate, reason: string, today: string): string =>
  `${cancelledWords(date, reason, today)} Reply OK so we know you read this.`
