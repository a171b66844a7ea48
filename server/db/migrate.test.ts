import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { connect } from './database.ts'
import { DATABASE_RULES } from '../database-rules.ts'
import { startTemporaryCluster } from '../test/temporary-cluster.ts'
import { migrationCount, migrationTimes, prepareDatabase } from './migrate.ts'

// A cluster of its own, because roles belong to the whole cluster and must not exist yet.
const { superuserUrl, stop } = await startTemporaryCluster()
const root = new pg.Client({ connectionString: superuserUrl })
await root.connect()
afterAll(async () => {
  await root.end()
  await stop()
})

async function aDatabaseOf(login: string, options = '') {
  await root.query(`create role ${login} login password 'secret' ${options}`)
  await root.query(`create database of_${login} owner ${login}`)
  return Object.assign(new URL(superuserUrl), {
    username: login,
    password: 'secret',
    pathname: `/of_${login}`,
  }).href
}
async function servesAt(url: string) {
  const db = connect(url)
  const {
    rows: [row],
  } = await db.withoutDojo((tx) =>
    tx.execute(
      sql`select current_user as role, (select count(*)::int from migrations) as migrations`,
    ),
  )
  await db.close()
  return row
}
const SERVES = { role: 'tatami_app', migrations: migrationCount() }

test('a login that may create roles, no more, makes them and migrates; several servers at once, and again', async () => {
  const url = await aDatabaseOf('creator', 'createrole')
  await Promise.all([1, 2, 3].map(() => prepareDatabase({ databaseUrl: url }, DATABASE_RULES)))
  expect(await servesAt(url)).toEqual(SERVES)
  await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
  expect(await servesAt(url)).toEqual(SERVES)
})

test('none of the roles may pass the policies, and the one that serves inherits nothing', async () => {
  const { rows } = await root.query(
    'select rolname, rolsuper, rolbypassrls, rolcreaterole, rolinherit from pg_roles ' +
      "where rolname like 'tatami%' order by 1",
  )
  const bound = { rolsuper: false, rolbypassrls: false, rolcreaterole: false }
  expect(rows).toEqual([
    { rolname: 'tatami_app', ...bound, rolinherit: false },
    { rolname: 'tatami_overseer', ...bound, rolinherit: true },
    { rolname: 'tatami_owner', ...bound, rolinherit: true },
  ])
})

test('a login that was given the roles beforehand needs no right to make any', async () => {
  const url = await aDatabaseOf('given')
  await root.query('grant tatami_owner, tatami_app, tatami_overseer to given')
  await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
  expect(await servesAt(url)).toEqual(SERVES)
})

test('a login that was given nothing is refused, and nothing is made', async () => {
  const url = await aDatabaseOf('nobody')
  // PostgreSQL 15 asks for the role's admin option first.
  await expect(prepareDatabase({ databaseUrl: url }, DATABASE_RULES)).rejects.toThrow(
    /permission denied|must have admin option/,
  )
})

test('with a password the serving role signs in by itself', async () => {
  await prepareDatabase({ databaseUrl: superuserUrl, appPassword: "it's a secret" }, DATABASE_RULES)
  expect(
    await servesAt(
      Object.assign(new URL(superuserUrl), { username: 'tatami_app', password: "it's a secret" })
        .href,
    ),
  ).toEqual(SERVES)
})

describe('a database of the unreleased versions before 1.1.0', () => {
  const [baseline, version110] = migrationTimes().slice(0, 2) as [number, number]
  const HISTORY = 'select hash, created_at::float8 from migrations order by created_at'
  /** Replaces the migration of 1.1.0 by 33 steps, the last at its time. */
  const STEPS = `
    delete from migrations where created_at > ${baseline};
    insert into migrations (hash, created_at) select 'step', time from generate_series(1, 33) step,
      lateral (select ${baseline} + (${version110}::bigint - ${baseline}) * step / 33 as time)
        times`
  let [databaseUrl, client]: [string, pg.Client] = ['', root]

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
  ])('that has run %s of the steps is refused and left as it is', async (_, removeLast) => {
    await client.query(STEPS)
    await client.query(removeLast)
    const { rows: history } = await client.query(HISTORY)
    await expect(prepareDatabase({ databaseUrl }, DATABASE_RULES)).rejects.toThrow(
      /^a version of Tatami that was never released has changed its tables, and this version only continues from a release\./,
    )
    expect((await client.query(HISTORY)).rows).toEqual(history)
  })
})
