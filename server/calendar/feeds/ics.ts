import { addDays, utcMidnight } from '@tatami/contract/lib/calendar-day'
import type { DojoCalendar, CalendarEvent } from './calendar.ts'
import { yieldToOthers } from '../../lib/event-loop.ts'
import { toInstant } from './instants.ts'

const REFRESH_SECONDS = 3600

const SLICE_EVENTS = 100
const START_OF_EVENT = 'BEGIN:VEVENT'
const END_OF_CALENDAR = 'END:VCALENDAR'

/** Each date is a separate event, so that a class at 5 PM stays at 5 PM when daylight saving time
 *  begins. The calendar is rendered in slices, because the library would block the server for a
 *  second while it renders a long calendar. */
export async function renderIcs({ events, ...calendar }: DojoCalendar): Promise<string> {
  const { default: ical, ICalEventStatus } = await import('ical-generator')
  const renderSlice = (slice: readonly CalendarEvent[]) => {
    const sliceCalendar = ical({
      name: calendar.name,
      prodId: { company: 'Tatami', product: 'Calendar' },
      ttl: REFRESH_SECONDS,
    })
    for (const { uid, title, details, place, is_cancelled, ...times } of slice)
      sliceCalendar.createEvent({
        id: `${uid}@tatami`,
        // Changes only once a day, so that an unchanged calendar has the same ETag all day.
        stamp: utcMidnight(calendar.today),
        summary: title,
        description: details,
        location: place,
        status: is_cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
        ...toEventTimes(times, calendar.timeZone),
      })
    return sliceCalendar.toString()
  }
  const [calendarStart = ''] = renderSlice([]).split(END_OF_CALENDAR, 1)
  const parts = [calendarStart]
  for (let offset = 0; offset < events.length; offset += SLICE_EVENTS) {
    const text = renderSlice(events.slice(offset, offset + SLICE_EVENTS))
    parts.push(text.slice(text.indexOf(START_OF_EVENT), text.lastIndexOf(END_OF_CALENDAR)))
    await yieldToOthers()
  }
  return `${parts.join('')}${END_OF_CALENDAR}`
}

function toEventTimes(
  { day, last_day, start, end }: Pick<CalendarEvent, 'day' | 'last_day' | 'start' | 'end'>,
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
