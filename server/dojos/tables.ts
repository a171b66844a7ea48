import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id } from '../kernel/columns.ts'

/** Global: a dojo is known before anyone is in it. */
export const dojos = pgTable('dojos', {
  id: id().primaryKey(),
  name: text().notNull(),
  city: text(),
  state: text(),
  time_zone: text().notNull().default(DEFAULT_TIME_ZONE),
  invite_code: text().notNull().unique(),
  created_at: createdAt(),
})
