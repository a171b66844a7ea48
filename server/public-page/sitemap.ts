import { PUBLIC_PAGE_PATH } from '@tatami/contract/public-page/public-page'
import { asc, eq } from 'drizzle-orm'
import { findActiveDojos } from '../accounts/accounts.ts'
import { asOverseer, type Tx } from '../db/database.ts'
import { pick, pluck } from '../lib/rows.ts'
import { publicPages } from './tables.ts'

/** The most that a sitemap may have. */
const MAX_PAGES = 50_000

/** The pages that search engines may list, as XML. */
export async function renderSitemap(tx: Tx, publicUrl: string): Promise<string> {
  const pages = await asOverseer(tx, async (overseerTx) => {
    const rows = await overseerTx
      .select(pick(publicPages, 'dojo_id', 'slug'))
      .from(publicPages)
      .where(eq(publicPages.is_on, true))
      .orderBy(asc(publicPages.slug))
      .limit(MAX_PAGES)
    const activeDojos = await findActiveDojos(overseerTx, pluck(rows, 'dojo_id'))
    return rows.filter(({ dojo_id }) => activeDojos.has(dojo_id))
  })
  const entries = pages.map(
    ({ slug }) => `<url><loc>${publicUrl}${PUBLIC_PAGE_PATH}/${slug}</loc></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
}
