import { readFileSync } from 'node:fs'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { driverError, isRetryable, isUnavailable } from './database-errors.ts'
import { firstRow } from '../lib/rows.ts'
import { createQueues, type Queue, createQueueGrants } from './queue.ts'

export const MIGRATIONS = {
  migrationsFolder: new URL('./migrations', import.meta.url).pathname,
  migrationsSchema: 'public',
  migrationsTable: 'migrations',
}

type Journal = { entries: { when: number }[] }

/** The times of this version's migrations, oldest first. The table `migrations` lists those that
 *  have run. */
export function readMigrationTimes(folder: string = MIGRATIONS.migrationsFolder): number[] {
  const journal = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8')) as Journal
  return journal.entries.map(({ when }) => when)
}

export const countMigrations = (folder?: string): number => readMigrationTimes(folder).length

// All databases of a PostgreSQL server share its roles, so another Tatami may create them now.
const createRoleUnlessExists = (name: string, options: string) => `do $$ begin
  if not exists (select from pg_roles where rolname = '${name}')
    then create role ${name} ${options}; end if;
exception when duplicate_object or unique_violation then null; end $$;`

const grantRoleUnlessMember = (role: string, member: string) => `do $$ begin
  if not pg_has_role('${member}', '${role}', 'member') then grant ${role} to ${member}; end if;
exception when unique_violation then null; end $$;`

// Since PostgreSQL 16, the creator of a role may grant it but not assume it.
const CREATE_ROLES_SQL = `
${createRoleUnlessExists('tatami_owner', 'nologin')}
${createRoleUnlessExists('tatami_overseer', 'nologin')}
${createRoleUnlessExists('tatami_own_classes', 'nologin')}
${createRoleUnlessExists('tatami_app', 'nologin noinherit')}
${grantRoleUnlessMember('tatami_overseer', 'tatami_app')}
${grantRoleUnlessMember('tatami_own_classes', 'tatami_app')}
do $$ declare role_name text; privilege text := case
  when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end; begin
  foreach role_name in array
    array['tatami_owner', 'tatami_overseer', 'tatami_own_classes', 'tatami_app'] loop
    if not pg_has_role(current_user, role_name, privilege)
      then execute format('grant %I to %I', role_name, current_user); end if;
  end loop;
exception when unique_violation then null; end $$;
do $$ begin
  execute format('grant create, connect on database %I to tatami_owner', current_database());
  execute format('grant connect on database %I to tatami_app', current_database());
  grant usage, create on schema public to tatami_owner;
exception when insufficient_privilege then null; end $$;`

/** drizzle-kit only enables row-level security, which does not limit the owner unless forced. */
export const FORCE_ROW_LEVEL_SECURITY_SQL = `do $$ declare table_id regclass; begin
  for table_id in select oid from pg_class
    where relnamespace = 'public'::regnamespace and relrowsecurity and not relforcerowsecurity
  loop execute format('alter table %s force row level security', table_id); end loop;
end $$;`

/** Transactions of staff who see only their own classes run as `tatami_own_classes`. This role sees
 *  only the classes in `app.class_ids`, their students and guardians, rows about these in every
 *  table, and rows about the account itself. */
const LIMIT_OWN_CLASSES_SQL = `do $$ declare target record; condition text; begin
  for target in
    select c.table_name as name, c.column_name as key from information_schema.columns c
    join pg_class on relname = c.table_name and relnamespace = 'public'::regnamespace
    where c.table_schema = 'public' and relrowsecurity and relkind = 'r'
      and (c.column_name in ('class_id', 'student_id')
        or (c.table_name in ('classes', 'students', 'guardians') and c.column_name = 'id'))
      and (c.table_name, c.column_name) <> ('enrolments', 'student_id')
      and not exists (select from pg_policies p where p.tablename = c.table_name
        and p.policyname = 'own_classes_by_' || c.column_name)
  loop
    condition := case
      when target.name = 'classes' or target.key = 'class_id'
        then '= any (current_setting(''app.class_ids'', true)::uuid[])'
      when target.name = 'students' then 'in (select student_id from enrolments)'
      when target.name = 'guardians' then 'in (select guardian_id from guardianships)'
      else 'in (select id from students)' end;
    -- Policies also apply to members of a role. The database's login is a member, but not limited.
    execute format(
      'create policy %I on %I as restrictive to tatami_own_classes '
        'using (current_user <> ''tatami_own_classes'' or %3$I is null or %3$I %4$s '
        'or %3$I = current_setting(''app.account_id'', true)::uuid)',
      'own_classes_by_' || target.key, target.name, target.key, condition);
  end loop;
end $$;`

/** A substitute sees the classes in `app.one_day_class_ids` only on `app.visible_day`. Servers of
 *  the previous version set neither. */
const LIMIT_ONE_DAY_CLASSES_SQL = `do $$ declare target record; begin
  for target in
    select c.table_name as name, c.column_name as day from information_schema.columns c
    join pg_class on relname = c.table_name and relnamespace = 'public'::regnamespace
    where c.table_schema = 'public' and relrowsecurity and relkind = 'r'
      and (c.column_name in ('class_date', 'held_on')
        or (c.table_name, c.column_name) = ('place_requests', 'day'))
      and exists (select from information_schema.columns other
        where other.table_schema = 'public' and other.table_name = c.table_name
          and other.column_name = 'class_id')
      and not exists (select from pg_policies p
        where p.tablename = c.table_name and p.policyname = 'own_classes_by_day')
  loop
    execute format(
      'create policy own_classes_by_day on %1$I as restrictive to tatami_own_classes '
        'using (current_user <> ''tatami_own_classes'' or class_id is null or %2$I is null '
        'or coalesce(class_id <> all '
          '(nullif(current_setting(''app.one_day_class_ids'', true), '''')::uuid[]), true) '
        'or %2$I = nullif(current_setting(''app.visible_day'', true), '''')::date)',
      target.name, target.day);
  end loop;
end $$;`

export type DatabaseRules = {
  appendOnly: PgTable[]
  neverDeleted: PgTable[]
  neverUpdated: PgTable[]
  hiddenFromOverseer: PgTable[]
  columnsHiddenFromOverseer: PgColumn[]
  queues: Queue[]
}

const SERVING_ROLES = 'tatami_app, tatami_own_classes'

// Revokes earlier grants first. Running servers do not notice, because all is one transaction.
const createGrants = ({
  appendOnly,
  neverDeleted,
  neverUpdated,
  hiddenFromOverseer,
  columnsHiddenFromOverseer,
}: DatabaseRules) => `
grant usage on schema public to ${SERVING_ROLES}, tatami_overseer;
revoke all on all tables in schema public from ${SERVING_ROLES};
grant select, insert, update, delete on all tables in schema public to ${SERVING_ROLES};
revoke update, delete on ${joinTableNames(appendOnly)} from ${SERVING_ROLES};
revoke delete on ${joinTableNames(neverDeleted)} from ${SERVING_ROLES};
revoke update on ${joinTableNames(neverUpdated)} from ${SERVING_ROLES};
revoke insert, update, delete on migrations from ${SERVING_ROLES};
grant select on all tables in schema public to tatami_overseer;
revoke select on ${joinTableNames(hiddenFromOverseer)} from tatami_overseer;
${createColumnGrants(columnsHiddenFromOverseer)}
${createQueueGrants('tatami_app')}
${createQueueGrants('tatami_own_classes')}`

/** PostgreSQL cannot exclude a column from a grant on its table, so we list all other columns. */
const createColumnGrants = (hiddenColumns: PgColumn[]) =>
  [...new Set(hiddenColumns.map(({ table }) => table))]
    .map((table) => {
      const columns = Object.values(getTableColumns(table)).filter(
        (column) => !hiddenColumns.includes(column),
      )
      const names = columns.map(({ name }) => name).join(', ')
      return (
        `revoke select on ${getTableName(table)} from tatami_overseer; grant select ` +
        `(${names}) on ${getTableName(table)} to tatami_overseer;`
      )
    })
    .join('\n')

const joinTableNames = (tables: PgTable[]) => tables.map((table) => getTableName(table)).join(', ')

type Login = { databaseUrl: string; appPassword?: string }

type MigrationOptions = {
  migrationsFolder?: string | undefined
  log?: (line: string) => void
}

/** The message says why the tables could not be migrated. The tables are unchanged. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

export async function becomeOwner(client: pg.ClientBase): Promise<void> {
  await client.query(CREATE_ROLES_SQL)
  await client.query('set role tatami_owner')
}

/** Migrates the database. Several servers may do so at the same time. Throws a MigrationError if
 *  a migration fails or a newer version has migrated. The login must be allowed to create roles,
 *  unless an administrator has created them (docs/OPERATIONS.md). */
export async function prepareDatabase(
  { databaseUrl, appPassword }: Login,
  rules: DatabaseRules,
  { migrationsFolder = MIGRATIONS.migrationsFolder, log = () => {} }: MigrationOptions = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(${ADVISORY_LOCKS.migration})`)
    await client.query(CREATE_ROLES_SQL)
    if (appPassword)
      await client.query(
        `alter role tatami_app login password ${client.escapeLiteral(appPassword)}`,
      )
    await client.query('set role tatami_owner')
    await refuseNewerTables(client, migrationsFolder)
    await runMigrations(client, migrationsFolder, log)
    await client.query(FORCE_ROW_LEVEL_SECURITY_SQL)
    await client.query(LIMIT_OWN_CLASSES_SQL)
    await client.query(LIMIT_ONE_DAY_CLASSES_SQL)
    await createQueues(client, rules.queues)
    await client.query(createGrants(rules))
  } finally {
    await client.end()
  }
}

/** Reads how many migrations have run, and the time of the newest, or 0 if there is none. */
export async function readMigrationState(
  client: pg.ClientBase,
): Promise<{ count: number; newest: number }> {
  const { rowCount } = await client.query(
    "select from pg_class where oid = to_regclass('public.migrations')",
  )
  if (rowCount === 0) return { count: 0, newest: 0 }
  const { rows } = await client.query<{ count: number; newest: number }>(
    'select count(*)::int as count, coalesce(max(created_at), 0)::float8 as newest from ' +
      'public.migrations',
  )
  return firstRow(rows)
}

export const hasUnreleasedMigrations = (
  { count, newest }: { count: number; newest: number },
  times: number[],
): boolean => count !== times.filter((time) => time <= newest).length

/** An older version would revoke newer grants and break newer rules. */
async function refuseNewerTables(client: pg.ClientBase, folder: string) {
  const state = await readMigrationState(client)
  const times = readMigrationTimes(folder)
  if (state.newest > Math.max(...times))
    throw new MigrationError(
      `a newer version of Tatami has updated it (it has ${state.count} migrations, ` +
        `and this version knows ${times.length}). ` +
        'Start that version, or restore an older backup into an empty database.',
    )
  if (hasUnreleasedMigrations(state, times))
    throw new MigrationError(
      'a version of Tatami that was never released has changed its tables, and this ' +
        'version can only continue from a release. ' +
        '"Update" in docs/OPERATIONS.md says what to do.',
    )
}

const MAX_DEADLOCKS = 10
/** Servers of the previous version may still be running and lock tables in another order. */
async function retryDeadlocks(work: () => Promise<void>): Promise<void> {
  for (let deadlocks = 0; ; deadlocks += 1)
    try {
      return await work()
    } catch (error) {
      if (deadlocks === MAX_DEADLOCKS || !isRetryable(error)) throw error
    }
}

async function runMigrations(
  client: pg.Client,
  migrationsFolder: string,
  log: (line: string) => void,
) {
  const { newest } = await readMigrationState(client)
  if (readMigrationTimes(migrationsFolder).every((time) => time <= newest)) return
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock(${ADVISORY_LOCKS.backup}) as free`,
  )
  if (!firstRow(rows).free) {
    log('A backup is being made. The database is updated when it is finished …')
    await client.query(`select pg_advisory_lock(${ADVISORY_LOCKS.backup})`)
  }
  try {
    await retryDeadlocks(() => migrate(drizzle(client), { ...MIGRATIONS, migrationsFolder }))
  } catch (error) {
    if (isUnavailable(error)) throw error
    const reason = driverError(error).message ?? String(error)
    throw new MigrationError(
      `the update failed and nothing was changed, so the previous version still works: ${reason}`,
      { cause: error },
    )
  }
  await client.query(`select pg_advisory_unlock(${ADVISORY_LOCKS.backup})`)
}
