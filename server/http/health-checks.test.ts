import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { createClients, TEST_SETTINGS, startTestServer } from '../test/test-server.ts'
import { connect } from '../db/database.ts'

const server = await startTestServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())

const READY = [200, { status: 'ok' }]
const readHealth = async (
  path: string,
  { anonymous } = server as Pick<typeof server, 'anonymous'>,
) => {
  const { status, body } = await anonymous.get(path)
  return [status, body]
}

test('is alive and ready with a migrated database', async () => {
  expect([await readHealth('/health/live'), await readHealth('/health/ready')]).toEqual([
    READY,
    READY,
  ])
})

test('is alive but not ready while a migration is missing', async () => {
  const {
    rows: [newestMigration],
  } = await admin.query(
    'delete from migrations where id = (select max(id) from migrations) returning *',
  )
  expect([await readHealth('/health/live'), await readHealth('/health/ready')]).toEqual([
    READY,
    [503, { status: 'unavailable', detail: 'The database is not ready' }],
  ])
  await admin.query('insert into migrations (id, hash, created_at) values ($1, $2, $3)', [
    newestMigration.id,
    newestMigration.hash,
    newestMigration.created_at,
  ])
  expect(await readHealth('/health/ready')).toEqual(READY)
})

test('is alive but not ready without its database', async () => {
  const db = connect(Object.assign(new URL(server.databaseUrl), { pathname: '/gone' }).href)
  const http = await buildApp({ db, pubsub: server.pubsub, env: TEST_SETTINGS })
  expect([
    await readHealth('/health/live', createClients(http)),
    await readHealth('/health/ready', createClients(http)),
  ]).toEqual([READY, [503, { status: 'unavailable', detail: 'The database is not ready' }]])
  await http.close()
  await db.close()
})
