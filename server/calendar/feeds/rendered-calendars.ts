import { LRUCache } from 'lru-cache'
import { sha256 } from '../../lib/secrets.ts'
import { calendarOf, type CalendarRows } from './calendar.ts'
import { icsOf } from './ics.ts'

type RenderedCalendar = { ics: Buffer; etag: string }

const MAX_BYTES = 64 * 1024 * 1024

/** JSON leaves maps and sets out. */
const asList = (_: string, value: unknown) =>
  value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value

async function render(rows: CalendarRows): Promise<RenderedCalendar> {
  const ics = await icsOf(await calendarOf(rows))
  return { ics: Buffer.from(ics), etag: `"${sha256(ics)}"` }
}

/** Apps ask every hour, and hardly anything changes. The key is everything the calendar is made
 *  of, so no change can be missed. */
export function createCalendarRenderer(): (rows: CalendarRows) => Promise<RenderedCalendar> {
  const calendars = new LRUCache<string, RenderedCalendar, CalendarRows>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ ics }) => Math.max(1, ics.byteLength),
    fetchMethod: (_, __, { context }) => render(context),
  })
  return (rows) => calendars.forceFetch(sha256(JSON.stringify(rows, asList)), { context: rows })
}
