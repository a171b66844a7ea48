import { readFileSync } from 'node:fs'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { createQueues, type Queue, queueGrants } from './queue.ts'
import { servingGrants, type Withheld } from './serving-grants.ts'

const MIGRATIONS = {
  migrationsFolder: new URL('./migrations', import.meta.url).pathname,
  migrationsSchema: 'public',
  migrationsTable: 'migrations',
}

/** How many migrations this version of the server knows. */
export const migrationCount = (): number =>
  (JSON.parse(readFileSync(`${MIGRATIONS.migrationsFolder}/meta/_journal.json`, 'utf8')) as { entries: unknown[] }).entries.length

// Roles belong to the whole cluster: another database may have made them, or be making them at this moment.
const ensureRole = (name: string, options: string) => `do $$ begin
  if not exists (select from pg_roles where rolname = '${name}') then create role ${name} ${options}; end if;
exception when duplicate_object or unique_violation then null; end $$;`

const ensureMember = (role: string, member: string) => `do $$ begin
  if not pg_has_role('${member}', '${role}', 'member') then grant ${role} to ${member}; end if;
exception when unique_violation then null; end $$;`

// Since PostgreSQL 16 whoever made a role may grant it, and counts as its member, without being let put it on.
const ROLES = `
${ensureRole('tatami_owner', 'nologin')}
${ensureRole('tatami_overseer', 'nologin')}
${ensureRole('tatami_app', 'nologin noinherit')}
${ensureMember('tatami_overseer', 'tatami_app')}
do $$ declare wanted text; lets text := case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end; begin
  foreach wanted in array array['tatami_owner', 'tatami_overseer', 'tatami_app'] loop
    if not pg_has_role(current_user, wanted, lets) then execute format('grant %I to %I', wanted, current_user); end if;
  end loop;
exception when unique_violation then null; end $$;
do $$ begin
  execute format('grant create, connect on database %I to tatami_owner', current_database());
  execute format('grant connect on database %I to tatami_app', current_database());
  grant usage, create on schema public to tatami_owner;
exception when insufficient_privilege then null; end $$;`

// drizzle-kit writes ENABLE but never FORCE, without which a table's owner is exempt from its policies.
const FORCE_ROW_LEVEL_SECURITY = `do $$ declare unforced regclass; begin
  for unforced in select oid from pg_class
    where relnamespace = 'public'::regnamespace and relrowsecurity and not relforcerowsecurity
  loop execute format('alter table %s force row level security', unforced); end loop;
end $$;`

export type DatabaseRules = {
  /** What the serving role may not do because no statement does it, and the keys that it may change. */
  withheld: Withheld[]
  changedKeys: PgColumn[]
  hiddenFromOverseer: PgTable[]
  /** Secrets in tables that the overseer reads otherwise. */
  columnsHiddenFromOverseer: PgColumn[]
  queues: Queue[]
}

const grantsOf = ({ withheld, changedKeys, hiddenFromOverseer, columnsHiddenFromOverseer }: DatabaseRules) => `
grant usage on schema public to tatami_app, tatami_overseer;
${servingGrants(withheld, changedKeys)}
grant select on all tables in schema public to tatami_overseer;
revoke select on ${namesOf(hiddenFromOverseer)} from tatami_overseer;
${columnGrants(columnsHiddenFromOverseer)}
${queueGrants('tatami_app')}`

/** A right to the whole table would outweigh what is refused of a column: it goes, and the other columns are granted one by one. */
const columnGrants = (hidden: PgColumn[]) =>
  [...new Set(hidden.map(({ table }) => table))]
    .map((table) => {
      const columns = Object.values(getTableColumns(table)).filter((column) => !hidden.includes(column))
      const names = columns.map(({ name }) => name).join(', ')
      return `revoke select on ${getTableName(table)} from tatami_overseer; grant select (${names}) on ${getTableName(table)} to tatami_overseer;`
    })
    .join('\n')

const namesOf = (tables: PgTable[]) => tables.map((table) => getTableName(table)).join(', ')

type Login = { databaseUrl: string; appPassword?: string }

/**
 * Makes the roles where they are missing, then migrates as their owner. Several servers may do so at once.
 * `databaseUrl` is a login that may create roles, or one that was given them beforehand (docs/OPERATIONS.md);
 * `appPassword` lets tatami_app sign in by itself.
 */
export async function prepareDatabase({ databaseUrl, appPassword }: Login, rules: DatabaseRules): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(${ADVISORY_LOCKS.migration})`)
    await client.query(ROLES)
    if (appPassword) await client.query(`alter role tatami_app login password ${client.escapeLiteral(appPassword)}`)
    await client.query('set role tatami_owner')
    await migrate(drizzle(client), MIGRATIONS)
    await client.query(FORCE_ROW_LEVEL_SECURITY)
    await createQueues(client, rules.queues)
    await client.query(grantsOf(rules))
  } finally {
    await client.end()
  }
}
