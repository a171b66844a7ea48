import { firstRow } from '../lib/rows.ts'
import type pg from 'pg'

const MIGRATIONS_TABLE = 'migrations'

export type Table = { name: string; columns: string[]; is_filtered: boolean }

// `is_filtered` is true if row-level security may hide rows from this login. The policies of own
// classes hide rows only from the role that serves such staff (db/migrate.ts).
const TABLES_SQL = `
  select c.relname::text as name,
    array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0
      and not attisdropped and attgenerated = '' order by attnum) as columns,
    row_security_active(c.oid) and (
      exists (select from pg_policy where polrelid = c.oid and not polpermissive
        and (polname not like 'own_classes_by_%' or current_user = 'tatami_own_classes'))
      or not exists (
        select from pg_policy where polrelid = c.oid and polpermissive and polcmd in ('r', '*')
          and pg_get_expr(polqual, polrelid) = 'true'
          and exists (select from unnest(polroles) role where role = 0
            or pg_has_role(role, 'usage')))
    ) as is_filtered
  from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relname <> '${MIGRATIONS_TABLE}' order by relname`

export const readTables = async (client: pg.ClientBase): Promise<Table[]> =>
  (await client.query<Table>(TABLES_SQL)).rows

const SEQUENCES_SQL = `select sequencename::text as name, last_value::text from pg_sequences
  where schemaname = 'public' and sequencename <> '${MIGRATIONS_TABLE}_id_seq' order by 1`

export const readSequences = async (
  client: pg.ClientBase,
): Promise<{ name: string; last_value: string | null }[]> =>
  (await client.query<{ name: string; last_value: string | null }>(SEQUENCES_SQL)).rows

export async function readMigrations(client: pg.ClientBase): Promise<string[]> {
  const migrationsTable = await client.query(
    `select from pg_class where oid = to_regclass('public.${MIGRATIONS_TABLE}')`,
  )
  if (migrationsTable.rowCount === 0) return []
  const { rows } = await client.query<{ hash: string }>(
    `select hash from ${MIGRATIONS_TABLE} order by created_at, id`,
  )
  return rows.map(({ hash }) => hash)
}

// Tables, views and sequences that belong to no extension.
const COUNT_RELATIONS_SQL = `
  select count(*)::int as relations from pg_class c
  where relnamespace in (select oid from pg_namespace where nspname in ('public', 'pgboss'))
    and relkind in ('r', 'p', 'v', 'm', 'S')
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid
      and deptype = 'e')`

export async function isDatabaseEmpty(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ relations: number }>(COUNT_RELATIONS_SQL)
  return firstRow(rows).relations === 0
}

type ForeignKey = { table: string; name: string; definition: string }

const FOREIGN_KEYS_SQL = `
  select conrelid::regclass::text as table, quote_ident(conname) as name,
    pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`

/** Runs `load` without foreign keys and triggers, so that tables can be loaded in any order. Adding
 *  the foreign keys again afterwards checks the rows. */
export async function withoutConstraints(
  client: pg.ClientBase,
  tables: Table[],
  load: () => Promise<void>,
): Promise<void> {
  const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS_SQL)
  const alterEach = (change: string) =>
    tables.map(({ name }) => `alter table ${client.escapeIdentifier(name)} ${change};`).join('\n')
  const dropStatements = keys
    .map(({ table, name }) => `alter table ${table} drop constraint ${name};`)
    .join('\n')
  await client.query(
    `${dropStatements}\n${alterEach('disable trigger user, no force row level security')}`,
  )
  await client.query(
    `truncate ${tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')}`,
  )
  await load()
  await client.query(alterEach('enable trigger user'))
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
}
