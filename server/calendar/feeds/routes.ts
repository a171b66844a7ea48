import { calendarFeedsApi } from '@tatami/contract/calendar/calendar-feeds'
import { type App, findCallerLimits, serve, okReply } from '../../http/serve.ts'
import { requesterByAddress } from '../../http/fair-queue.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Database } from '../../db/database.ts'
import { runForRequest } from '../../lib/request-context.ts'
import { type CalendarRows, readCalendar } from './calendar.ts'
import { parseDojoId, endFeed, readFeed, findFeedReader, renewFeed } from './feeds.ts'
import { createCalendarRenderer } from './rendered-calendars.ts'

const CALENDAR_FILE_NAME = /^(.+)\.ics$/
/** Calendar services load the calendars of many people from one IP address. */
const RATE_LIMIT = { max: 300, timeWindow: 60_000 }
const notFound = () => new Refusal(404, 'Not found')

async function readCalendarRows(
  db: Database,
  dojoId: string,
  secret: string,
): Promise<CalendarRows | null> {
  const reader = await db.inDojo(dojoId, (tx) => findFeedReader(tx, dojoId, secret))
  if (!reader) return null
  return runForRequest({ limits: findCallerLimits(reader) }, () =>
    db.inDojo(dojoId, (tx) => readCalendar(tx, reader)),
  )
}

/** A wrong calendar address gets the same reply as an unknown path. */
function serveCalendars({ http, db, anonymousQueue }: App): void {
  const render = createCalendarRenderer()
  http.get<{ Params: { file: string } }>(
    '/calendar/:file',
    { config: { rateLimit: RATE_LIMIT } },
    async (request, reply) => {
      const secret = CALENDAR_FILE_NAME.exec(request.params.file)?.[1] ?? ''
      const dojoId = parseDojoId(secret)
      if (!dojoId) throw notFound()
      const rows = await anonymousQueue(requesterByAddress(request.ip), () =>
        readCalendarRows(db, dojoId, secret),
      )
      if (!rows) throw notFound()
      const { ics, etag } = await render(rows)
      void reply.header('cache-control', 'private, no-cache').header('etag', etag)
      if (request.headers['if-none-match'] === etag) return reply.status(304).send()
      return reply.type('text/calendar; charset=utf-8').send(ics)
    },
  )
}

export function calendarFeedsRoutes(app: App, publicUrl: string) {
  serveCalendars(app)
  serve(app, calendarFeedsApi, {
    read: ({ tx, caller }) => readFeed(tx, caller),
    renew: ({ tx, caller }) => renewFeed(tx, caller, publicUrl),
    remove: ({ tx, caller }) => okReply(endFeed(tx, caller)),
  })
}
