import { addDays, utcMidnight } from '@tatami/contract/lib/calendar-day'
import type { DojoCalendar, Entry } from './calendar.ts'
import { yieldToOthers } from '../../lib/event-loop.ts'
import { instantOf } from './instants.ts'

const REFRESH_SECONDS = 3600

const SLICE_ENTRIES = 100
const FIRST_EVENT = 'BEGIN:VEVENT'
const END_OF_CALENDAR = 'END:VCALENDAR'

/** An iCalendar file (RFC 5545). Each date is an event at an instant, so a class at five stays
 *  at five when daylight saving begins. The library would block the server for a second on
 *  hundreds of classes, so it writes many short calendars, which are joined. */
export async function icsOf({ entries, ...calendar }: DojoCalendar): Promise<string> {
  const { default: ical, ICalEventStatus } = await import('ical-generator')
  const write = (slice: readonly Entry[]) => {
    const part = ical({
      name: calendar.name,
      prodId: { company: 'Tatami', product: 'Calendar' },
      ttl: REFRESH_SECONDS,
    })
    for (const { uid, title, details, place, is_cancelled, ...times } of slice)
      part.createEvent({
        id: `${uid}@tatami`,
        // Changes once a day, so that an unchanged calendar has the same ETag.
        stamp: utcMidnight(calendar.today),
        summary: title,
        description: details,
        location: place,
        status: is_cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
        ...timesOf(times, calendar.timeZone),
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

function timesOf(
  { day, last_day, start, end }: Pick<Entry, 'day' | 'last_day' | 'start' | 'end'>,
  timeZone: string,
) {
  if (start !== null && end !== null)
    return { start: instantOf(day, start, timeZone), end: instantOf(day, end, timeZone) }
  return {
    allDay: true,
    start: utcMidnight(day),
    end: utcMidnight(addDays(last_day, 1)),
    timezone: 'UTC',
  }
}
