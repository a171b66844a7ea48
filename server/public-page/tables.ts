import { MAX_PICTURE_BYTES } from '@tatami/contract/pictures/pictures'
import { LANGUAGES } from '@tatami/contract/public-page/public-page'
import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, dojoId, id, instant, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'
import { MEDIA_TYPES } from '../pictures/tables.ts'

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
    /** How many trials one address or one contact may book in an hour. */
    bookings_per_hour: smallint().notNull().default(5),
    /** After so many bookings in 24 hours, an instructor has to approve the next ones. */
    bookings_per_day: smallint().notNull().default(30),
    changed_at: instant().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

/** Photos on the public page. The page shows the small one, which leads to the large one. */
export const pagePhotos = pgTable(
  'page_photos',
  {
    dojo_id: dojoId(),
    id: id(),
    /** What the photo shows, for visitors who cannot see it. */
    caption: text().notNull(),
    media_type: text({ enum: MEDIA_TYPES }).notNull(),
    bytes: bytes().notNull(),
    small_media_type: text({ enum: MEDIA_TYPES }).notNull(),
    small_width: smallint().notNull(),
    small_height: smallint().notNull(),
    small_bytes: bytes().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    check('page_photos_size', sql.raw(`octet_length("bytes") <= ${MAX_PICTURE_BYTES}`)),
    check('page_photos_small_size', sql.raw(`octet_length("small_bytes") <= ${MAX_PICTURE_BYTES}`)),
  ],
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
    table: pagePhotos,
    exported: {
      name: 'page_photos',
      about: 'Which photos the page shows',
      hidden: ['bytes', 'small_bytes'],
    },
    hiddenFromOverseer: [pagePhotos.bytes, pagePhotos.small_bytes],
  },
  {
    table: slugHistory,
    global: 'the address of a page is read before its dojo is known',
    changes: 'no deletes',
  },
]
