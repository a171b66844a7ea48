import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { accounts } from '../accounts/tables.ts'
import { createdAt, dojoId, id, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** The staff of a dojo. `staff_members` has their rights. */
export const instructors = pgTable(
  'instructors',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    /** The phone at registration, and the current one. */
    contact_number: text().notNull(),
    phone_number: text(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    foreignKey({
      name: 'instructors_account',
      columns: [t.dojo_id, t.id, t.email],
      foreignColumns: [accounts.dojo_id, accounts.id, accounts.email],
    })
      .onUpdate('cascade')
      .onDelete('cascade'),
  ],
)

/** Global: one row per instructor, for an index per sort order. Triggers keep it up to date. */
export const senseiDirectory = pgTable(
  'sensei_directory',
  {
    dojo_id: uuid().notNull(),
    sensei_id: uuid().notNull(),
    full_name: text().notNull(),
    dojo_name: text(),
    contact_number: text(),
    email: text().notNull(),
    city: text(),
    state: text(),
    total_students: integer().notNull(),
    is_active: boolean().notNull(),
    created_at: createdAt(),
    /** The `_key` columns are for sorting. */
    name_key: text().notNull(),
    dojo_key: text().notNull(),
    place_key: text().notNull(),
    search_text: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.dojo_id, t.sensei_id] }),
    reference('sensei_directory_instructor', [t.dojo_id, t.sensei_id], instructors).onDelete(
      'cascade',
    ),
    index('sensei_directory_of_sensei').on(t.sensei_id),
    index('sensei_directory_by_created').on(t.is_active, t.created_at, t.sensei_id),
    index('sensei_directory_by_name').on(t.is_active, t.name_key, t.sensei_id),
    index('sensei_directory_by_dojo').on(t.is_active, t.dojo_key, t.sensei_id),
    index('sensei_directory_by_place').on(t.is_active, t.place_key, t.sensei_id),
    index('sensei_directory_by_students').on(t.is_active, t.total_students, t.sensei_id),
  ],
)

/** Global. One row with the number of sensei, which triggers keep up to date. */
export const senseiTotals = pgTable('sensei_totals', {
  singleton: boolean().primaryKey().default(true),
  total_sensei: integer().notNull().default(0),
  active_sensei: integer().notNull().default(0),
})

export const senseiTables: TableRules[] = [
  { table: instructors, exported: { name: 'instructors', about: 'Instructors' } },
  { table: senseiDirectory, global: "the super admin's list of every dojo's instructors" },
  { table: senseiTotals, global: 'one row: how many instructors there are' },
]
