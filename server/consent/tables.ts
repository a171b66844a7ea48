import { date, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id } from '../db/columns.ts'

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
