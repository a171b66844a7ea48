import { calendarFeedsApi } from '@tatami/contract/calendar/calendar-feeds'
import { type App, serve, okReply } from '../../http/serve.ts'
import { requesterByAddress } from '../../http/fair-queue.ts'
import { Refusal } from '../../lib/refusal.ts'
import { readCalendar } from './calendar.ts'
import { dojoOfAddress, endFeed, feedOf, readerOf, renewFeed } from './feeds.ts'
import { createCalendarRenderer } from './rendered-calendars.ts'

const FILE = /^(.+)\.ics$/
/** Some services ask for many people from one address. */
const PER_MINUTE = { max: 300, timeWindow: 60_000 }
const notFound = () => new Refusal(404, 'Not found')

/** A wrong address gets the same answer as any unknown path. */
function serveCalendars({ http, db, anonymousQueue }: App): void {
  const render = createCalendarRenderer()
  http.get('/calendar/:file', { config: { rateLimit: PER_MINUTE } }, async (request, reply) => {
    const secret = FILE.exec((request.params as { file: string }).file)?.[1] ?? '',
      dojoId = dojoOfAddress(secret)
    if (!dojoId) throw notFound()
    const rows = await anonymousQueue(requesterByAddress(request.ip), () =>
      db.inDojo(dojoId, async (tx) => {
        const reader = await readerOf(tx, dojoId, secret)
        return reader && readCalendar(tx, reader)
      }),
    )
    if (!rows) throw notFound()
    const { ics, etag } = await render(rows)
    void reply.header('cache-control', 'private, no-cache').header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    return reply.type('text/calendar; charset=utf-8').send(ics)
  })
}

export function calendarFeedsRoutes(app: App, publicUrl: string) {
  serveCalendars(app)
  serve(app, calendarFeedsApi, {
    read: ({ tx, caller }) => feedOf(tx, caller),
    renew: ({ tx, caller }) => renewFeed(tx, caller, publicUrl),
    remove: ({ tx, caller }) => okReply(endFeed(tx, caller)),
  })
}
