import { foreignKey, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { accounts } from '../accounts/tables.ts'
import { createdAt, dojoId, id, tenantPolicies } from '../db/columns.ts'

/** A dojo's instructors; the first release makes one. */
export const instructors = pgTable(
  'instructors',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    /** Area code and number as registered. */
    contact_number: text().notNull(),
    /** Starts as the registered number; this one the instructor changes. */
    phone_number: text(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.dojo_id, t.id] }),
    foreignKey({
      name: 'instructors_account',
      columns: [t.dojo_id, t.id, t.email],
      foreignColumns: [accounts.dojo_id, accounts.id, accounts.email],
    })
      .onUpdate('cascade')
      .onDelete('cascade'),
    ...tenantPolicies(),
  ],
)
