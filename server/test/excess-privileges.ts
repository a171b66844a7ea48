import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { DATABASE_RULES } from '../database-rules.ts'
import { GLOBAL_TABLES_WITH_DOJO_ID, GLOBAL_TABLES } from './global-tables.ts'

const { appendOnly, neverDeleted, neverUpdated, hiddenFromOverseer, columnsHiddenFromOverseer } =
  DATABASE_RULES
const READ_AND_WRITE = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
const privilegesOn = (tables: PgTable[], privileges: string[]) =>
  Object.fromEntries(tables.map((table) => [`public.${getTableName(table)}`, privileges]))

/** The tables on which the app's role has other privileges than `READ_AND_WRITE`. */
const APP_PRIVILEGES: Record<string, string[]> = {
  'public.migrations': ['SELECT'],
  ...privilegesOn(appendOnly, ['SELECT', 'INSERT']),
  ...privilegesOn(neverDeleted, ['SELECT', 'INSERT', 'UPDATE']),
  ...privilegesOn(neverUpdated, ['SELECT', 'INSERT', 'DELETE']),
  'pgboss.version': ['SELECT', 'UPDATE'],
  'pgboss.queue': ['SELECT', 'INSERT', 'UPDATE'],
  'pgboss.job': ['SELECT', 'INSERT', 'UPDATE'],
  'pgboss.job_common': READ_AND_WRITE,
  'pgboss.schedule': ['SELECT', 'UPDATE'],
  'pgboss.job_dependency': ['SELECT', 'DELETE'],
}
const HIDDEN_TABLES = hiddenFromOverseer.map((table) => `public.${getTableName(table)}`)
const PGBOSS_FUNCTIONS = ['job_now', 'create_queue']

function allowedPrivileges(role: string, table: string): string[] {
  if (role !== 'tatami_overseer')
    return APP_PRIVILEGES[table] ?? (table.startsWith('public.') ? READ_AND_WRITE : [])
  return table.startsWith('public.') && !HIDDEN_TABLES.includes(table) ? ['SELECT'] : []
}

const RELATIONS = `
  select c.oid, relname, nspname || '.' || relname as name, relkind in ('v', 'm') as is_view, role,
    relkind = 'v' and 'security_invoker=true' = any (coalesce(reloptions, '{}')) as reads_as_caller
  from pg_class c join pg_namespace n on n.oid = relnamespace,
    unnest(array['tatami_app', 'tatami_own_classes', 'tatami_overseer']) role
  where nspname in ('public', 'pgboss') and relkind in ('r', 'p', 'v', 'm', 'f')`

const PRIVILEGES = `
  select role, name, privilege, role || ' may ' || privilege || ' ' || name as sentence
  from (${RELATIONS}) relation,
    unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
      privilege
  where case when privilege in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
      then has_any_column_privilege(role, oid, privilege) and not (is_view and privilege = 'SELECT')
      else has_table_privilege(role, oid, privilege) end`

/** $1 is the secret columns, $2 the global tables without a dojo, and $3 the functions of pg-boss
 *  that the app may call. Views are a risk, because by default they read as their owner, and
 *  because row-level security does not apply to materialized views. */
const OTHER_PROBLEMS = `
  select role || ' reads the view ' || relname || ' past the policies' as sentence
  from (${RELATIONS}) relation
  where is_view and not reads_as_caller and has_any_column_privilege(role, oid, 'SELECT')
  union all
  select 'tatami_overseer may SELECT ' || relname || '.' || attname
  from (${RELATIONS}) relation join pg_attribute on attrelid = oid
  where role = 'tatami_overseer' and relname || '.' || attname = any ($1)
    and has_column_privilege(role, oid, attnum, 'SELECT')
  union all
  select relname || ' is global and has a dojo_id'
  from (${RELATIONS}) relation join pg_attribute on attrelid = oid
  where role = 'tatami_app' and relname = any ($2) and attname = 'dojo_id'
  union all
  select 'tatami_app calls ' || nspname || '.' || proname
    || case when prosecdef then ' as its owner' else '' end
  from pg_proc p join pg_namespace n on n.oid = pronamespace
  where nspname in ('public', 'pgboss') and has_function_privilege('tatami_app', p.oid, 'EXECUTE')
    and (prosecdef or (nspname = 'pgboss' and proname <> all ($3)))`

/** Returns a sentence for each privilege that the app's role or the overseer does not need. */
export async function findExcessPrivileges(client: pg.ClientBase): Promise<string[]> {
  type Privilege = { role: string; name: string; privilege: string; sentence: string }
  const privileges = await client.query<Privilege>(PRIVILEGES)
  const otherProblems = await client.query<{ sentence: string }>(OTHER_PROBLEMS, [
    columnsHiddenFromOverseer.map(({ table, name }) => `${getTableName(table)}.${name}`),
    Object.keys(GLOBAL_TABLES).filter((table) => !GLOBAL_TABLES_WITH_DOJO_ID.includes(table)),
    PGBOSS_FUNCTIONS,
  ])
  const excessPrivileges = privileges.rows.filter(
    ({ role, name, privilege }) => !allowedPrivileges(role, name).includes(privilege),
  )
  return [...excessPrivileges, ...otherProblems.rows].map(({ sentence }) => sentence)
}
