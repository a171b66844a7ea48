import { SOURCE_PATH } from '@tatami/contract/leads/sources'
import { PUBLIC_PAGE_PATH } from '@tatami/contract/public-page/public-page'
import { eq } from 'drizzle-orm'
import { asOverseer, type Tx } from '../db/database.ts'
import type { App } from '../http/serve.ts'
import {
  readerLanguage,
  readVisiblePage,
  runAsVisitor,
  sendNotFound,
  VISITOR_RATE_LIMIT,
  type VisitorRequest,
} from '../public-page/public-page.ts'
import { leadSources, referralLinks } from './tables.ts'

/** A source link leads to the form for trials of its school. The code is passed on in the address,
 *  so no cookie is needed. */
export function mountSourceLinks(app: App): void {
  app.http.get(
    `${SOURCE_PATH}/:address`,
    { config: { rateLimit: VISITOR_RATE_LIMIT } },
    async (request: VisitorRequest, reply) => {
      const code = request.params.address.toLowerCase()
      const slug = await runAsVisitor(app, request, () => findSlug(app, code))
      if (slug === null) return sendNotFound(reply, readerLanguage(request))
      const query = new URLSearchParams({ from: code })
      return reply
        .header('cache-control', 'no-cache')
        .redirect(`${PUBLIC_PAGE_PATH}/${slug}/trial?${query}`, 302)
    },
  )
}

/** The address of the school's page, or null for unknown codes and while the page is off. */
async function findSlug({ db }: App, code: string): Promise<string | null> {
  const dojoId = await db.withoutDojo((tx) =>
    asOverseer(tx, (overseerTx) => findDojoOfCode(overseerTx, code)),
  )
  if (dojoId === null) return null
  const visiblePage = await db.inDojo(dojoId, (tx) => readVisiblePage(tx, dojoId))
  return visiblePage?.page.slug ?? null
}

async function findDojoOfCode(overseerTx: Tx, code: string): Promise<string | null> {
  const [source] = await overseerTx
    .select({ dojo_id: leadSources.dojo_id })
    .from(leadSources)
    .where(eq(leadSources.code, code))
  if (source) return source.dojo_id
  const [referralLink] = await overseerTx
    .select({ dojo_id: referralLinks.dojo_id })
    .from(referralLinks)
    .where(eq(referralLinks.code, code))
  return referralLink?.dojo_id ?? null
}
