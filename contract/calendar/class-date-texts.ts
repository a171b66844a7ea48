import { addDays, utcMidnight } from '../lib/calendar-day.ts'

export const CANCEL_REASONS = ['Weather', 'Instructor ill', 'Hall closed'] as const

const formatLongDay = (day: string) =>
  utcMidnight(day).toLocaleDateString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })

function describeRelativeDay(day: string, today: string): string {
  if (day === today) return 'today'
  return day === addDays(today, 1) ? 'tomorrow' : `on ${formatLongDay(day)}`
}

type NamedDate = { class_name: string; day: string; start_time: string | null }

/** "tomorrow, 5:00 PM" or "on Monday, March 1" */
export function formatDayAndTime({ day, start_time }: NamedDate, today: string): string {
  const dayText = describeRelativeDay(day, today)
  return start_time ? `${dayText}, ${start_time}` : dayText
}

export const formatClassDate = (date: NamedDate, today: string): string =>
  `${date.class_name} ${formatDayAndTime(date, today)}`

export const PLACE_IS_FREE = 'A place is free'

export const placeNotice = (name: string, date: NamedDate, today: string): string =>
  `${name} has a place: ${formatClassDate(date, today)}.`

/** `{name}` becomes the names of all siblings who share the phone. */
export const placeText = (date: NamedDate, today: string): string =>
  `${PLACE_IS_FREE}: {name} can come to ${formatClassDate(date, today)}. ` +
  'If you cannot make it, please tell us.'

/** The reason as it reads after a colon: "weather", but "Hurricane Ida". */
const reasonInSentence = (reason: string) =>
  CANCEL_REASONS.some((cancelReason) => cancelReason === reason)
    ? reason.toLowerCase()
    : reason.replace(/[.!\s]+$/, '')

export function cancellationNotice(date: NamedDate, reason: string, today: string): string {
  const shortReason = reasonInSentence(reason)
  const ending = shortReason ? `: ${shortReason}.` : '.'
  return `${formatClassDate(date, today)} is canceled${ending}`
}

/** At most 400 characters. The reply OK is defined in contract/texting/message-types.ts. */
export const cancellationText = (date: NamedDate, reason: string, today: string): string =>
  `${cancellationNotice(date, reason, today)} Reply OK so we know you read this.`
