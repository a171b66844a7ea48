import { getTableName } from 'drizzle-orm'
import { TABLES } from '../tables.ts'

/** Tables that all dojos share, with the reason. Row-level security protects the other tables. */
export const GLOBAL_TABLES: Record<string, string> = {
  ...Object.fromEntries(
    TABLES.flatMap(({ table, global }) => (global ? [[getTableName(table), global]] : [])),
  ),
  migrations: 'the history of the tables themselves',
}

/** Global tables whose rows belong to a dojo. They are read before the caller's dojo is known, for
 *  all dojos together, or after a dojo was deleted. */
export const GLOBAL_TABLES_WITH_DOJO_ID = [
  'accounts',
  'audit_log',
  'provider_messages',
  'sensei_directory',
  'slug_history',
]
