import { LRUCache } from 'lru-cache'
import { sha256 } from '../../lib/secrets.ts'
import { buildCalendar, type CalendarRows } from './calendar.ts'
import { renderIcs } from './ics.ts'

type RenderedCalendar = { ics: Buffer; etag: string }

const MAX_BYTES = 64 * 1024 * 1024

/** For `JSON.stringify`, which would write maps and sets as empty objects. */
const convertMapsAndSets = (_: string, value: unknown) =>
  value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value

async function render(rows: CalendarRows): Promise<RenderedCalendar> {
  const ics = await renderIcs(await buildCalendar(rows))
  return { ics: Buffer.from(ics), etag: `"${sha256(ics)}"` }
}

/** Caches rendered calendars, because calendar apps load them every hour. The cache key is a hash
 *  of all rows, so that every change is noticed. */
export function createCalendarRenderer(): (rows: CalendarRows) => Promise<RenderedCalendar> {
  const calendars = new LRUCache<string, RenderedCalendar, CalendarRows>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ ics }) => Math.max(1, ics.byteLength),
    fetchMethod: (_, __, { context }) => render(context),
  })
  return (rows) =>
    calendars.forceFetch(sha256(JSON.stringify(rows, convertMapsAndSets)), { context: rows })
}
