import { CONSENT_SOURCES } from '@tatami/contract/texting/phones'
import { sql } from 'drizzle-orm'
import { date, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** Forms are found by the last seven digits of the phone, however it was typed. */
export const consentPhoneEnding = sql`right(regexp_replace(phone_number, '\\D', '', 'g'), 7)`

/** Signed forms. They are kept as proof, without personal data once no dojo has the phone. */
export const consents = pgTable(
  'consents',
  {
    id: id().primaryKey(),
    sensei_name: text().notNull(),
    phone_number: text().notNull(),
    email: text(),
    signature: text(),
    date: date().notNull(),
    wording_version: text().notNull(),
    /** The IP address from which the form was sent */
    address: text(),
    created_at: createdAt(),
  },
  () => [index('consents_phone_ending').on(consentPhoneEnding)],
)

/** One row per event. When the last student with a phone is deleted, a hash replaces its number. */
export const textConsents = pgTable(
  'text_consents',
  {
    dojo_id: dojoId(),
    id: id(),
    phone: text().notNull(),
    event: text({ enum: ['given', 'revoked'] }).notNull(),
    source: text({ enum: CONSENT_SOURCES }).notNull(),
    topics: text().array().notNull(),
    given_by: text(),
    wording_version: text(),
    address: text(),
    /** What an imported list or a text said about consent */
    words: text(),
    /** The instructor's id. Null if the phone's owner agreed themselves. */
    recorded_by: uuid(),
    at: createdAt(),
    /** Set if the row was recorded by mistake and undone. Such a row is ignored. */
    undone_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('text_consents_of_phone').on(t.dojo_id, t.phone, t.id),
  ],
)

export const consentTables: TableRules[] = [
  {
    table: consents,
    global: 'a form names a sensei in free text, so its dojo is not known',
    changes: 'no deletes',
  },
  {
    table: textConsents,
    exported: { name: 'text_consents', about: 'Who agreed to texts, when and in which words' },
    changes: 'no deletes',
  },
]
