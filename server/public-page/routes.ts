import {
  PUBLIC_PAGE_PATH,
  publicPageApi,
  WIDGET_PATH,
} from '@tatami/contract/public-page/public-page'
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import type { FastifyReply } from 'fastify'
import { readDojoTime } from '../calendar/timetable/timetable.ts'
import { Refusal } from '../lib/refusal.ts'
import { type App, okReply, serve } from '../http/serve.ts'
import { sendDocument } from './document.ts'
import { EMBED_SCRIPT } from './embed.ts'
import { sendErrorPage } from './error-page.ts'
import { addPagePhoto, findPagePhoto, PHOTO_FOLDER, removePagePhoto } from './photos.ts'
import { readPublicPage, savePublicPage } from './settings.ts'
import { renderSitemap } from './sitemap.ts'
import { readPublicTimetable, renderTimetablePage } from './timetable-page.ts'
import {
  openVisit,
  runAsVisitor,
  VISITOR_RATE_LIMIT,
  type VisitorRequest,
} from './visitor-routes.ts'

export function publicPageRoutes(app: App, publicUrl: string): void {
  serve(app, publicPageApi, {
    read: ({ tx, caller }) => readPublicPage(tx, caller.dojoId, publicUrl),
    save: ({ tx, caller, body }) => savePublicPage(tx, caller, body, publicUrl),
    addPhoto: ({ tx, caller, body }) => addPagePhoto(tx, caller, body),
    removePhoto: ({ tx, caller, params }) => okReply(removePagePhoto(tx, caller, params.id)),
  })
  mountPages(app, publicUrl)
}

/** A new photo has a new address. */
const PHOTO_DAYS = 7
const DAY_SECONDS = DAY_MS / 1000

/** Plain HTML, so that the pages open fast on any phone. */
function mountPages(app: App, publicUrl: string): void {
  const { http, db } = app
  const config = { rateLimit: VISITOR_RATE_LIMIT }
  const pageOptions = { config, errorHandler: sendErrorPage }
  const showTimetable = async (request: VisitorRequest, reply: FastifyReply) => {
    const visit = await openVisit(app, publicUrl, request, reply, async (tx, { dojoId }) =>
      readPublicTimetable(tx, await readDojoTime(tx, dojoId)),
    )
    if (!visit) return reply
    const { visiblePage, view, data: timetable } = visit
    return sendDocument(reply, renderTimetablePage(visiblePage, timetable, view), {
      frameAncestors: view.isWidget ? '*' : "'none'",
      isCompressible: true,
    })
  }
  http.get(`${PUBLIC_PAGE_PATH}/:address`, pageOptions, (request: VisitorRequest, reply) =>
    showTimetable(request, reply),
  )
  http.get(`${WIDGET_PATH}/:address/timetable`, pageOptions, (request: VisitorRequest, reply) =>
    showTimetable(request, reply),
  )
  http.get<{ Params: { file: string } }>(
    `/${PHOTO_FOLDER}/:file`,
    { config: { ...config, isCall: true } },
    async (request, reply) => {
      const photo = await runAsVisitor(app, request, () => findPagePhoto(db, request.params.file))
      if (!photo) throw new Refusal(404, 'Not found')
      return reply
        .header('cache-control', `public, max-age=${PHOTO_DAYS * DAY_SECONDS}, immutable`)
        .header('x-content-type-options', 'nosniff')
        .type(photo.media_type)
        .send(photo.bytes)
    },
  )
  http.get('/embed.js', (_, reply) =>
    reply
      // Other sites load the script.
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', 'public, max-age=3600')
      .type('text/javascript; charset=utf-8')
      .send(EMBED_SCRIPT),
  )
  http.get('/sitemap.xml', { config }, async (request, reply) => {
    const sitemap = await runAsVisitor(app, request, () =>
      db.withoutDojo((tx) => renderSitemap(tx, publicUrl)),
    )
    return reply.type('application/xml; charset=utf-8').send(sitemap)
  })
  http.get('/robots.txt', (_, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nDisallow: /api/\nSitemap: ${publicUrl}/sitemap.xml\n`),
  )
}
