import { eq } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** Global, because super admins act across dojos. Entries are kept when their subjects are
 *  deleted. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id().primaryKey(),
    actor_id: uuid().notNull(),
    dojo_id: uuid(),
    action: text().notNull(),
    subject_id: uuid(),
    details: jsonb().notNull().default({}),
    created_at: createdAt(),
  },
  (t) => [
    index('audit_log_newest').on(t.created_at),
    index('audit_log_of_dojo').on(t.dojo_id, t.id),
  ],
)

export const auditTables: TableRules[] = [
  {
    table: auditLog,
    global: 'some actions of super admins belong to no dojo',
    exported: {
      name: 'audit_log',
      about: 'Who did what',
      where: (dojo) => eq(auditLog.dojo_id, dojo),
    },
    changes: 'append only',
  },
]
