import { CONSENT_SOURCES } from '@tatami/contract/conversations'
import { date, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, tenantPolicies } from '../db/columns.ts'

/** Global: whoever consents names a sensei in their own words; no dojo is known. Kept as proof. */
export const consents = pgTable('consents', {
  id: id().primaryKey(),
  sensei_name: text().notNull(),
  phone_number: text().notNull(),
  email: text(),
  signature: text().notNull(),
  date: date().notNull(),
  wording_version: text().notNull(),
  address: text().notNull(),
  created_at: createdAt(),
})

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
    at: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.dojo_id, t.id] }), index('text_consents_of_phone').on(t.dojo_id, t.phone, t.id), ...tenantPolicies()],
)
