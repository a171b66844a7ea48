import type { DojoCalendar, Entry } from './calendar.ts'
import { daysAfter } from '@tatami/contract/timetable'
import { instantOf } from './instants.ts'

const REFRESH_SECONDS = 3600

/**
 * A calendar as RFC 5545 wants it. Each date is an event of its own at an instant, computed by the dojo's clock of its day, so a class at five stays at
 * five when daylight saving begins, wherever the reader is. What is all day has no zone.
 */
export async function icsOf({ name, timeZone, today, entries }: DojoCalendar): Promise<string> {
  const { default: ical, ICalEventStatus } = await import('ical-generator')
  const calendar = ical({
    name,
    prodId: { company: 'Tatami', product: 'Calendar' },
    ttl: REFRESH_SECONDS,
  })
  for (const { uid, title, details, place, is_cancelled, ...when } of entries)
    calendar.createEvent({
      id: `${uid}@tatami`,
      // The calendar is the same as long as nothing changes, but for the day, with which its days move.
      stamp: new Date(`${today}T00:00Z`),
      summary: title,
      description: details,
      location: place,
      status: is_cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      ...timesOf(when, timeZone),
    })
  return calendar.toString()
}

function timesOf(
  { day, last_day, start, end }: Pick<Entry, 'day' | 'last_day' | 'start' | 'end'>,
  timeZone: string,
) {
  if (start !== null && end !== null)
    return { start: instantOf(day, start, timeZone), end: instantOf(day, end, timeZone) }
  // The end of what is all day is the day after.
  return {
    allDay: true,
    start: new Date(`${day}T00:00Z`),
    end: new Date(`${daysAfter(last_day, 1)}T00:00Z`),
    timezone: 'UTC',
  }
}
