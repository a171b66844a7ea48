import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, tenantPolicies } from '../db/columns.ts'

/** The first answer to a call that may come twice. */
export const idempotencyKeys = pgTable(
  'first_answers',
  {
    dojo_id: dojoId(),
    key: text().notNull(),
    /** SHA-256 of what was asked: the same key for something else is a mistake. */
    asked: text().notNull(),
    answer: jsonb(),
    created_at: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.dojo_id, t.key] }), ...tenantPolicies()],
)
