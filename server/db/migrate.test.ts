import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { connect } from './database.ts'
import { DATABASE_RULES } from '../database-rules.ts'
import { startTemporaryCluster } from '../test/temporary-cluster.ts'
import { countMigrations, readMigrationTimes, prepareDatabase } from './migrate.ts'

// The roles must not exist yet, and all databases of a PostgreSQL server share them.
const { superuserUrl, stop } = await startTemporaryCluster()
const root = new pg.Client({ connectionString: superuserUrl })
await root.connect()
afterAll(async () => {
  await root.end()
  await stop()
})

async function createDatabaseOwnedBy(login: string, options = '') {
  await root.query(`create role ${login} login password 'secret' ${options}`)
  await root.query(`create database of_${login} owner ${login}`)
  return Object.assign(new URL(superuserUrl), {
    username: login,
    password: 'secret',
    pathname: `/of_${login}`,
  }).href
}
async function readServingState(url: string) {
  const db = connect(url)
  const { rows } = await db.withoutDojo((tx) =>
    tx.execute(
      sql`select current_user as role, (select count(*)::int from migrations) as migrations`,
    ),
  )
  await db.close()
  return rows[0]
}
const SERVING_STATE = { role: 'tatami_app', migrations: countMigrations() }

test('a login that may create roles can migrate, even on several servers together', async () => {
  const url = await createDatabaseOwnedBy('creator', 'createrole')
  await Promise.all([1, 2, 3].map(() => prepareDatabase({ databaseUrl: url }, DATABASE_RULES)))
  expect(await readServingState(url)).toEqual(SERVING_STATE)
  await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
  expect(await readServingState(url)).toEqual(SERVING_STATE)
})

test('no role may bypass the policies, and the serving role inherits nothing', async () => {
  const { rows } = await root.query(
    'select rolname, rolsuper, rolbypassrls, rolcreaterole, rolinherit from pg_roles ' +
      "where rolname like 'tatami%' order by 1",
  )
  const ordinaryRole = { rolsuper: false, rolbypassrls: false, rolcreaterole: false }
  expect(rows).toEqual([
    { rolname: 'tatami_app', ...ordinaryRole, rolinherit: false },
    { rolname: 'tatami_overseer', ...ordinaryRole, rolinherit: true },
    { rolname: 'tatami_own_classes', ...ordinaryRole, rolinherit: true },
    { rolname: 'tatami_owner', ...ordinaryRole, rolinherit: true },
  ])
})

test('a login that already has the roles can migrate without creating any', async () => {
  const url = await createDatabaseOwnedBy('given')
  await root.query('grant tatami_owner, tatami_app, tatami_overseer, tatami_own_classes to given')
  await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
  expect(await readServingState(url)).toEqual(SERVING_STATE)
})

test('a login without roles or privileges is refused', async () => {
  const url = await createDatabaseOwnedBy('nobody')
  // PostgreSQL 15 checks the role's admin option first.
  await expect(prepareDatabase({ databaseUrl: url }, DATABASE_RULES)).rejects.toThrow(
    /permission denied|must have admin option/,
  )
})

test('the serving role can log in if it has a password', async () => {
  await prepareDatabase({ databaseUrl: superuserUrl, appPassword: "it's a secret" }, DATABASE_RULES)
  expect(
    await readServingState(
      Object.assign(new URL(superuserUrl), { username: 'tatami_app', password: "it's a secret" })
        .href,
    ),
  ).toEqual(SERVING_STATE)
})

describe('a database of the unreleased versions before 1.1.0', () => {
  const [baseline, version110] = readMigrationTimes().slice(0, 2) as [number, number]
  const SELECT_HISTORY = 'select hash, created_at::float8 from migrations order by created_at'
  /** Replaces the migration of 1.1.0 with the 33 migrations of the unreleased versions. */
  const REPLACE_HISTORY = `
    delete from migrations where created_at > ${baseline};
    insert into migrations (hash, created_at) select 'step', time from generate_series(1, 33) step,
      lateral (select ${baseline} + (${version110}::bigint - ${baseline}) * step / 33 as time)
        times`
  let databaseUrl = ''
  let client = root

  beforeEach(async () => {
    const name = `unreleased_${randomUUID().replaceAll('-', '_')}`
    await root.query(`create database ${name}`)
    databaseUrl = Object.assign(new URL(superuserUrl), { pathname: `/${name}` }).href
    await prepareDatabase({ databaseUrl }, DATABASE_RULES)
    client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    onTestFinished(() => client.end())
  })

  test.each([
    ['all', ''],
    ['some', `delete from migrations where created_at = ${version110}`],
  ])(
    'is refused and left unchanged if it has run %s of their migrations',
    async (_, removalSql) => {
      await client.query(REPLACE_HISTORY)
      await client.query(removalSql)
      const { rows: history } = await client.query(SELECT_HISTORY)
      await expect(prepareDatabase({ databaseUrl }, DATABASE_RULES)).rejects.toThrow(
        /^a version of Tatami that was never released has changed its tables, and this version can only continue from a release\./,
      )
      expect((await client.query(SELECT_HISTORY)).rows).toEqual(history)
    },
  )
})
