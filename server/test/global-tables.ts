import { getTableName } from 'drizzle-orm'
import { TABLES } from '../tables.ts'

/** Tables that are shared by all dojos, with the reason. Row-level security protects all others. */
export const GLOBAL_TABLES: Record<string, string> = {
  ...Object.fromEntries(
    TABLES.flatMap(({ table, global }) => (global ? [[getTableName(table), global]] : [])),
  ),
  migrations: 'the history of the tables themselves',
}

/** Global tables whose rows nevertheless belong to a dojo. They are read before the caller's dojo
 *  is known, for all dojos, or after the dojo was deleted. */
export const GLOBAL_TABLES_WITH_DOJO_ID = [
  'accounts',
  'audit_log',
  'provider_messages',
  'sensei_directory',
]
