import { LANGUAGES } from '@tatami/contract/public-page/public-page'
import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, instant, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** A school's page for visitors. Without a row, the school has never set one up. */
export const publicPages = pgTable(
  'public_pages',
  {
    dojo_id: dojoId(),
    /** Part of the address in QR codes and widgets, which never changes. */
    link_id: uuid().notNull(),
    slug: text().notNull(),
    is_on: boolean().notNull(),
    headline: text(),
    about: text(),
    bring: text(),
    address: text(),
    map_url: text(),
    phone: text(),
    /** The language in which the school writes. */
    language: text({ enum: LANGUAGES }).notNull(),
    names_instructors: boolean().notNull().default(false),
    /** The sites that may show the trial form in a frame, such as "https://example.com". */
    allowed_sites: text().array().notNull().default([]),
    changed_at: instant().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

/** All addresses that public pages have ever had, so that flyers and links keep working. */
export const slugHistory = pgTable('slug_history', {
  slug: text().primaryKey(),
  dojo_id: uuid().notNull(),
  created_at: createdAt(),
})

export const publicPageTables: TableRules[] = [
  {
    table: publicPages,
    exported: { name: 'public_page', about: 'The page that the school shows to visitors' },
  },
  {
    table: slugHistory,
    global: 'the address of a page is read before its dojo is known',
    changes: 'no deletes',
  },
]
