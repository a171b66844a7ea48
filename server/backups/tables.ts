import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

export const ATTEMPTS_KEPT_DAYS = 400

/** Attempts at nightly backups. The table belongs to no dojo, because a backup has all dojos. */
export const backups = pgTable(
  'backups',
  {
    id: id().primaryKey(),
    started_at: createdAt(),
    finished_at: instant(),
    file: text(),
    bytes: bigint({ mode: 'number' }),
    failure: text(),
    /** True if super admins were notified of the failure. */
    is_reported: boolean().notNull().default(false),
  },
  (t) => [index('backups_newest').on(t.started_at)],
)

export const backupTables: TableRules[] = [
  {
    table: backups,
    global: 'a backup has the data of all dojos',
    kept: { since: backups.started_at, days: ATTEMPTS_KEPT_DAYS },
  },
]
