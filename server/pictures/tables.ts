import { MAX_PICTURE_BYTES } from '@tatami/contract/pictures/pictures'
import { sql } from 'drizzle-orm'
import { check, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, dojoId, instant, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'
import { students } from '../students/tables.ts'

export const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

const picture = () => ({
  /** A logo's address contains the key, and a photo's addresses are signed with it. Each version of a
   *  picture has a new key. */
  key: text().notNull(),
  media_type: text({ enum: MEDIA_TYPES }).notNull(),
  width: smallint().notNull(),
  height: smallint().notNull(),
  bytes: bytes().notNull(),
  changed_at: instant().notNull(),
})
const isSmall = sql.raw(`octet_length("bytes") <= ${MAX_PICTURE_BYTES}`)

/** A separate table, so that queries for students never read the pictures. */
export const studentPhotos = pgTable(
  'student_photos',
  { dojo_id: dojoId(), student_id: uuid().notNull(), ...picture() },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id),
    uniqueIndex('student_photos_by_key').on(t.dojo_id, t.key),
    reference('student_photos_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    check('student_photos_size', isSmall),
  ],
)

export const dojoLogos = pgTable('dojo_logos', { dojo_id: dojoId(), ...picture() }, (t) => [
  ...tenantKey(t.dojo_id),
  check('dojo_logos_size', isSmall),
])

export const pictureTables: TableRules[] = [
  {
    table: studentPhotos,
    exported: {
      name: 'photos',
      about: 'Which students have a photo. The photos are in pictures/',
      hidden: ['key', 'bytes'],
    },
    hiddenFromOverseer: [studentPhotos.key, studentPhotos.bytes],
  },
  {
    table: dojoLogos,
    exported: {
      name: 'logo',
      about: 'Your logo. The picture is in pictures/',
      hidden: ['key', 'bytes'],
    },
    hiddenFromOverseer: [dojoLogos.key, dojoLogos.bytes],
  },
]
