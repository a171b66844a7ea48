import { LRUCache } from 'lru-cache'
import { sha256 } from '../../lib/secrets.ts'
import { calendarOf, type CalendarRows } from './calendar.ts'
import { icsOf } from './ics.ts'

type RenderedCalendar = { ics: Buffer; etag: string }

/** How much the calendars may take that this server remembers. */
const MAX_BYTES = 64 * 1024 * 1024

/** Maps and sets are no objects to JSON. */
const asList = (_: string, value: unknown) =>
  value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value

async function render(rows: CalendarRows): Promise<RenderedCalendar> {
  const ics = await icsOf(await calendarOf(rows))
  return { ics: Buffer.from(ics), etag: `"${sha256(ics)}"` }
}

/**
 * Renders calendars, each once: apps ask every hour, and hardly ever has anything changed. The key is what the calendar is made of, so
 * that no change can be missed, whoever makes it.
 */
export function createCalendarRenderer(): (rows: CalendarRows) => Promise<RenderedCalendar> {
  const calendars = new LRUCache<string, RenderedCalendar, CalendarRows>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ ics }) => Math.max(1, ics.byteLength),
    fetchMethod: (_, __, { context }) => render(context),
  })
  return (rows) => calendars.forceFetch(sha256(JSON.stringify(rows, asList)), { context: rows })
}
