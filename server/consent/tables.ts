import { CONSENT_SOURCES } from '@tatami/contract/texting/phones'
import { sql } from 'drizzle-orm'
import { date, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** The last seven digits of the number on a form however it is typed, by which it is found. */
export const consentPhoneEnding = sql`right(regexp_replace(phone_number, '\\D', '', 'g'), 7)`

/**
 * Global: whoever consents names a sensei in their own words; no dojo is known. Kept as proof: once no dojo has the phone any more, as the
 * number's hash, without the name, the email and the address.
 */
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
    address: text(),
    created_at: createdAt(),
  },
  () => [index('consents_phone_ending').on(consentPhoneEnding)],
)

/** Who agreed to texts to a phone, or ended that, when and in which words: one row for each such event. With the
 *  last student of a phone its number becomes a hash, and the names go. */
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
    /** What an imported sheet said: "Do Not Text: Yes". */
    words: text(),
    /** The instructor's account, as in the audit log; null where the holder of the phone did it themselves. */
    recorded_by: uuid(),
    at: createdAt(),
    /** Recorded by mistake and taken back at once: it counts and shows nowhere. */
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
    global: 'whoever consents names a sensei in their own words; no dojo is known',
    changes: 'no deletes',
  },
  {
    table: textConsents,
    exported: { name: 'text_consents', about: 'Who agreed to texts, when and in which words' },
    changes: 'no deletes',
  },
]
