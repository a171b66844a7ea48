import { addDays, utcMidnight } from '../lib/calendar-day.ts'

/** What is offered as the reason of a cancellation; other words can be typed. */
export const CANCEL_REASONS = ['Weather', 'Instructor ill', 'Hall closed'] as const

const dayFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})

/** "today", "tomorrow", else "on Monday, March 1". */
const onDay = (day: string, today: string): string =>
  day === today
    ? 'today'
    : day === addDays(today, 1)
      ? 'tomorrow'
      : `on ${dayFormat.format(utcMidnight(day))}`

type NamedDate = { class_name: string; day: string; start_time: string | null }

/** "Kids Karate today, 5:00 PM". */
export const dateWords = ({ class_name, day, start_time }: NamedDate, today: string): string =>
  `${class_name} ${onDay(day, today)}${start_time ? `, ${start_time}` : ''}`

/** What a place is called that somebody got who waited for it, in the app and among the texts. */
export const PLACE_IS_FREE = 'A place is free'

/** "Mia Diaz has a place: Kids Karate today, 5:00 PM." */
export const placeWords = (name: string, date: NamedDate, today: string): string =>
  `${name} has a place: ${dateWords(date, today)}.`

/** The text about it; siblings who share a phone share it, too. */
export const placeText = (date: NamedDate, today: string): string =>
  `${PLACE_IS_FREE}: {name} can come to ${dateWords(date, today)}. If that does not suit, please tell us.`

/** A reason within a sentence: "weather", but "Hurricane Ida", and "ice on the road" as it was typed. */
const inSentence = (reason: string) =>
  (CANCEL_REASONS as readonly string[]).includes(reason)
    ? reason.toLowerCase()
    : reason.replace(/[.!\s]+$/, '')

/** What an app says of a cancelled date; a reason that is not known yet is left out. */
export const cancelledWords = (date: NamedDate, reason: string, today: string): string =>
  `${dateWords(date, today)} is cancelled${inSentence(reason) ? `: ${inSentence(reason)}` : ''}.`

/** The text about a cancelled date, at most 400 characters. OK as an answer is known to the dojo (contract/texting/message-types.ts). */
export const cancellationText = (date: NamedDate, reason: string, today: string): string =>
  `${cancelledWords(date, reason, today)} Reply OK so that we know you read it.`
