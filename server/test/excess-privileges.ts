import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { DATABASE_RULES } from '../database-rules.ts'
import { GLOBAL_TABLES_WITH_DOJO_ID, GLOBAL } from './global-tables.ts'

const { appendOnly, neverDeleted, hiddenFromOverseer, columnsHiddenFromOverseer } = DATABASE_RULES
const READ_AND_WRITE = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
const rightsTo = (tables: PgTable[], rights: string[]) =>
  Object.fromEntries(tables.map((table) => [`public.${getTableName(table)}`, rights]))

/** What the serving role may do where that is not reading and writing. */
const SERVING: Record<string, string[]> = {
  'public.migrations': ['SELECT'],
  ...rightsTo(appendOnly, ['SELECT', 'INSERT']),
  ...rightsTo(neverDeleted, ['SELECT', 'INSERT', 'UPDATE']),
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
  if (role === 'tatami_app')
    return SERVING[table] ?? (table.startsWith('public.') ? READ_AND_WRITE : [])
  return table.startsWith('public.') && !HIDDEN_TABLES.includes(table) ? ['SELECT'] : []
}

const RIGHTS = `
  select role, n.nspname || '.' || c.relname as table, c.relkind in ('v', 'm') as is_view, right_
  from pg_class c join pg_namespace n on n.oid = relnamespace, unnest(array['tatami_app', 'tatami_overseer']) role,
    unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) right_
  where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and case when right_ in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') then has_any_column_privilege(role, c.oid, right_)
      else has_table_privilege(role, c.oid, right_) end
  order by 1, 2`

// Whoever reads a view reads as its owner, unless it says otherwise; a materialized view has no policies at all.
const VIEWS = `
  select role, c.relname as view from pg_class c, unnest(array['tatami_app', 'tatami_overseer']) role
  where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and has_any_column_privilege(role, c.oid, 'SELECT')
    and (relkind = 'm' or (relkind = 'v' and not coalesce('security_invoker=true' = any (reloptions), false)))`

const FUNCTIONS = `
  select proname as name, nspname as schema, prosecdef as as_owner from pg_proc p join pg_namespace n on n.oid = pronamespace
  where nspname in ('public', 'pgboss') and has_function_privilege('tatami_app', p.oid, 'EXECUTE')`

const COLUMNS = `
  select relname as table, attname as column, has_column_privilege('tatami_overseer', attrelid, attnum, 'SELECT') as overseer_reads
  from pg_attribute join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0`

/** What the catalogue grants beyond what the serving role and the overseer need; a sentence each. */
export async function excessPrivileges(client: pg.ClientBase): Promise<string[]> {
  const rowsOf = async <T extends object>(query: string) => (await client.query<T>(query)).rows
  const rights = await rowsOf<{ role: string; table: string; is_view: boolean; right_: string }>(
    RIGHTS,
  )
  const views = await rowsOf<{ role: string; view: string }>(VIEWS)
  const functions = await rowsOf<{ name: string; schema: string; as_owner: boolean }>(FUNCTIONS)
  const columns = await rowsOf<{ table: string; column: string; overseer_reads: boolean }>(COLUMNS)
  const secret = columnsHiddenFromOverseer.map(
    ({ table, name }) => `${getTableName(table)}.${name}`,
  )
  return [
    ...rights
      .filter(
        ({ role, table, is_view, right_ }) =>
          !(is_view && right_ === 'SELECT') && !allowedPrivileges(role, table).includes(right_),
      )
      .map(({ role, table, right_ }) => `${role} may ${right_} ${table}`),
    ...views.map(({ role, view }) => `${role} reads the view ${view} past the policies`),
    ...functions
      .filter(
        ({ name, schema, as_owner }) =>
          as_owner || (schema === 'pgboss' && !PGBOSS_FUNCTIONS.includes(name)),
      )
      .map(
        ({ name, schema, as_owner }) =>
          `tatami_app calls ${schema}.${name}${as_owner ? ' as its owner' : ''}`,
      ),
    ...columns
      .filter(
        ({ table, column, overseer_reads }) =>
          overseer_reads && secret.includes(`${table}.${column}`),
      )
      .map(({ table, column }) => `tatami_overseer may SELECT ${table}.${column}`),
    ...columns
      .filter(
        ({ table, column }) =>
          column === 'dojo_id' && table in GLOBAL && !GLOBAL_TABLES_WITH_DOJO_ID.includes(table),
      )
      .map(({ table }) => `${table} is global and has a dojo_id`),
  ]
}
