import { addDays, utcMidnight } from '@tatami/contract/lib/calendar-day'
import type { DojoCalendar, CalendarEntry } from './calendar.ts'
import { yieldToOthers } from '../../lib/event-loop.ts'
import { toInstant } from './instants.ts'

const REFRESH_SECONDS = 3600

const SLICE_ENTRIES = 100
const FIRST_EVENT = 'BEGIN:VEVENT'
const END_OF_CALENDAR = 'END:VCALENDAR'

/** Writes an event for each date, so that a class at five stays at five when daylight saving
 *  begins. Joins short calendars, because the library would block for a second on a long one. */
export async function renderIcs({ entries, ...calendar }: DojoCalendar): Promise<string> {
  const { default: ical, ICalEventStatus } = await import('ical-generator')
  const write = (slice: readonly CalendarEntry[]) => {
    const part = ical({
      name: calendar.name,
      prodId: { company: 'Tatami', product: 'Calendar' },
      ttl: REFRESH_SECONDS,
    })
    for (const { uid, title, details, place, is_cancelled, ...times } of slice)
      part.createEvent({
        id: `${uid}@tatami`,
        // The stamp changes once a day, so an unchanged calendar keeps its ETag for the day.
        stamp: utcMidnight(calendar.today),
        summary: title,
        description: details,
        location: place,
        status: is_cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
        ...eventTimes(times, calendar.timeZone),
      })
    return part.toString()
  }
  const [beginning = ''] = write([]).split(END_OF_CALENDAR, 1)
  const parts = [beginning]
  for (let offset = 0; offset < entries.length; offset += SLICE_ENTRIES) {
    const text = write(entries.slice(offset, offset + SLICE_ENTRIES))
    parts.push(text.slice(text.indexOf(FIRST_EVENT), text.lastIndexOf(END_OF_CALENDAR)))
    await yieldToOthers()
  }
  return `${parts.join('')}${END_OF_CALENDAR}`
}

function eventTimes(
  { day, last_day, start, end }: Pick<CalendarEntry, 'day' | 'last_day' | 'start' | 'end'>,
  timeZone: string,
) {
  if (start !== null && end !== null)
    return { start: toInstant(day, start, timeZone), end: toInstant(day, end, timeZone) }
  return {
    allDay: true,
    start: utcMidnight(day),
    end: utcMidnight(addDays(last_day, 1)),
    timezone: 'UTC',
  }
}
