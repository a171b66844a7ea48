import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { SAMPLE_ROWS } from './sample-rows.ts'
import { startTestServer } from './test-server.ts'

/** The tables could be distributed by `dojo_id` with Citus. Citus has two rules: unique keys must
 *  include the column, and references between distributed tables must include it on both sides. */
const server = await startTestServer()
const owner = new pg.Client({ connectionString: server.adminUrl })
await owner.connect()
afterAll(() => owner.end())
beforeEach(() => owner.query('begin; set local role tatami_owner'))
afterEach(() => owner.query('rollback'))

const DISTRIBUTED_TABLES = [...Object.keys(SAMPLE_ROWS), 'sensei_directory']
/** Tables that distributed tables reference, so every machine would have a copy of them. */
const COPIED_TABLES: Record<string, string> = {
  accounts: 'an email is unique across all dojos, and the sign-in does not ask for the dojo',
  sessions: 'a token is looked up before a dojo is known',
}

const UNIQUE_KEYS_SQL = `
  select indrelid::regclass::text as "table", indexrelid::regclass::text as name from pg_index
  where indrelid::regclass::text = any($1) and indisunique
    and not exists (select from pg_attribute where attrelid = indrelid and attname = 'dojo_id'
      and attnum = any (indkey))`

const REFERENCES_SQL = `
  select conrelid::regclass::text as "from", confrelid::regclass::text as "to", conname as name,
    coalesce((select bool_or(a.attname = 'dojo_id' and b.attname = 'dojo_id')
      from unnest(conkey, confkey) k(here, there)
      join pg_attribute a on a.attrelid = conrelid and a.attnum = k.here join pg_attribute b
        on b.attrelid = confrelid and b.attnum = k.there), false) as by_dojo
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`

type Reference = { from: string; to: string; name: string; by_dojo: boolean }
function preventsDistribution({ from, to, by_dojo }: Reference): boolean {
  if (DISTRIBUTED_TABLES.includes(from))
    return DISTRIBUTED_TABLES.includes(to) ? !by_dojo : !(to in COPIED_TABLES)
  return DISTRIBUTED_TABLES.includes(to)
}

/** Returns the keys, indexes and references that prevent distribution by dojo. */
async function findObstacles(): Promise<string[]> {
  const uniqueKeys = await owner.query<{ name: string }>(UNIQUE_KEYS_SQL, [DISTRIBUTED_TABLES])
  const references = await owner.query<Reference>(REFERENCES_SQL)
  return [...uniqueKeys.rows, ...references.rows.filter(preventsDistribution)].map(
    ({ name }) => name,
  )
}

test('every unique key and reference of a distributed table includes the dojo', async () => {
  const { rows } = await owner.query(
    'select count(*)::int as tables from pg_class where relname = any($1)',
    [DISTRIBUTED_TABLES],
  )
  expect(rows).toEqual([{ tables: DISTRIBUTED_TABLES.length }])
  expect(await findObstacles()).toEqual([])
})

test('every copied table is referenced by a distributed table', async () => {
  const { rows } = await owner.query<Reference>(REFERENCES_SQL)
  const referencedTables = new Set(
    rows.filter(({ from }) => DISTRIBUTED_TABLES.includes(from)).map(({ to }) => to),
  )
  expect(Object.keys(COPIED_TABLES).filter((table) => !referencedTables.has(table))).toEqual([])
})

test.each([
  ['create unique index by_email on students (email)', 'by_email'],
  [
    'alter table classes drop constraint classes_dojo_id_id_pk cascade, add constraint ' +
      'by_id primary key (id)',
    'by_id',
  ],
  [
    'alter table announcements add unique (id); alter table notifications add constraint ' +
      'anywhere foreign key (announcement_id) references announcements (id)',
    'anywhere',
  ],
  [
    'alter table departures add config boolean, add constraint of_config foreign key ' +
      '(config) references system_config',
    'of_config',
  ],
  [
    'alter table system_config add dojo_id uuid, add constraint from_config foreign key ' +
      '(dojo_id) references message_settings',
    'from_config',
  ],
])('finds the obstacle after "%s"', async (change, name) => {
  await owner.query(change)
  expect(await findObstacles()).toContain(name)
})
