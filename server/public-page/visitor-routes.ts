import {
  type Language,
  PUBLIC_PAGE_PATH,
  WIDGET_PATH,
} from '@tatami/contract/public-page/public-page'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../db/database.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import type { App } from '../http/serve.ts'
import { escapeHtml } from '../lib/html.ts'
import { renderDocument, sendDocument } from './document.ts'
import { findDojoOfAddress, readVisiblePage, type VisiblePage } from './find-page.ts'
import { languageFor } from './language.ts'
import type { PageView } from './timetable-page.ts'
import { PAGE_WORDS } from './words.ts'

export type VisitorRequest = FastifyRequest<{
  Params: { address: string }
  Querystring: Record<string, unknown>
}>

/** A whole school may be behind one IP address. */
export const VISITOR_RATE_LIMIT = { max: 300, timeWindow: 60_000 }

/** Visitors without a login take turns. */
export const runAsVisitor = <Result>(
  { anonymousQueue }: Pick<App, 'anonymousQueue'>,
  { ip }: Pick<FastifyRequest, 'ip'>,
  work: () => Promise<Result>,
): Promise<Result> => anonymousQueue(requesterByAddress(ip), work)

export const readerLanguage = ({
  query,
  headers,
}: Pick<VisitorRequest, 'query' | 'headers'>): Language =>
  languageFor(query.lang, headers['accept-language'])

export function sendNotFound(reply: FastifyReply, language: Language): FastifyReply {
  const title = PAGE_WORDS[language].notFound
  const body = `<h1>${escapeHtml(title)}</h1>`
  return sendDocument(reply, renderDocument({ language, title, school: null, home: null, body }), {
    status: 404,
  })
}

export type Visit<Data> = { visiblePage: VisiblePage; view: PageView; data: Data }

/** Reads a page of a school. Answers itself with 404 if the page is off, and sends readers of an
 *  earlier address to the current one. Returns null in both cases. */
export async function openVisit<Data>(
  app: App,
  publicUrl: string,
  request: VisitorRequest,
  reply: FastifyReply,
  read: (tx: Tx, visiblePage: VisiblePage) => Promise<Data>,
): Promise<Visit<Data> | null> {
  const language = readerLanguage(request)
  const { address } = request.params
  const visit = await runAsVisitor(app, request, async () => {
    const dojoId = await app.db.withoutDojo((tx) => findDojoOfAddress(tx, address))
    if (dojoId === null) return null
    return app.db.inDojo(dojoId, async (tx) => {
      const visiblePage = await readVisiblePage(tx, dojoId)
      return visiblePage && { visiblePage, data: await read(tx, visiblePage) }
    })
  })
  if (!visit) {
    sendNotFound(reply, language)
    return null
  }
  const { page } = visit.visiblePage
  const isWidget = request.url.startsWith(`${WIDGET_PATH}/`)
  if (!isWidget && address !== page.slug) {
    redirectToCurrentAddress(request, reply, page.slug)
    return null
  }
  const base = isWidget ? `${WIDGET_PATH}/${page.link_id}` : `${PUBLIC_PAGE_PATH}/${page.slug}`
  return { ...visit, view: { language, base, isWidget, publicUrl } }
}

/** Browsers ask again each time, because a school may take an earlier address back. */
function redirectToCurrentAddress(
  { url, params }: VisitorRequest,
  reply: FastifyReply,
  slug: string,
): void {
  const oldBase = `${PUBLIC_PAGE_PATH}/${encodeURIComponent(params.address)}`
  const pathInPage = url.startsWith(oldBase) ? url.slice(oldBase.length) : ''
  void reply
    .header('cache-control', 'no-cache')
    .redirect(`${PUBLIC_PAGE_PATH}/${slug}${pathInPage}`, 301)
}
