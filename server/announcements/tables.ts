import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, tenantPolicies } from '../db/columns.ts'

/** Whom one was meant for, their notifications of it say. */
export const announcements = pgTable(
  'announcements',
  {
    dojo_id: dojoId(),
    id: id(),
    title: text().notNull(),
    category: text().notNull(),
    content: text().notNull(),
    created_at: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.dojo_id, t.id] }), ...tenantPolicies()],
)
