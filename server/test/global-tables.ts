import { getTableName } from 'drizzle-orm'
import { TABLES } from '../tables.ts'

/** The tables that belong to no dojo, each with the reason. Every other carries a dojo's policy. */
export const GLOBAL_TABLES: Record<string, string> = {
  ...Object.fromEntries(
    TABLES.flatMap(({ table, global }) => (global ? [[getTableName(table), global]] : [])),
  ),
  migrations: 'the history of the tables themselves',
}

/** Global, and yet each row names a dojo: callers are found before their dojo, acts outlive it, and
 *  one list shows all dojos. */
export const GLOBAL_TABLES_WITH_DOJO_ID = [
  'accounts',
  'audit_log',
  'provider_messages',
  'sensei_directory',
]
