import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { createFixtures, startTestServer, TEST_SETTINGS } from '../test/test-server.ts'
import { connect } from './database.ts'
import { pingOnNewConnection } from './pubsub.ts'
import { preferStandby } from './replica.ts'

const primary = await startTestServer()
/** The standby is a different database, so that the rows show which database was read. */
const standby = await startTestServer()
const UNREACHABLE_URL = 'postgresql://tatami_app@127.0.0.1:9/tatami'

async function serveWith(standbyUrl: string) {
  const standbyDb = connect(standbyUrl, {
    maxConnections: 2,
    ping: () => pingOnNewConnection(standbyUrl),
  })
  const http = await buildApp({
    db: primary.db,
    standby: standbyDb,
    pubsub: primary.pubsub,
    env: TEST_SETTINGS,
  })
  afterAll(async () => {
    await http.close()
    await standbyDb.close()
  })
  return createFixtures({ http, db: primary.db })
}
async function readFigures(fixtures: Awaited<ReturnType<typeof serveWith>>) {
  const superAdmin = await fixtures.signInSuperAdmin()
  const { status, body } = await superAdmin.get('/super-admin/dashboard-stats')
  return [status, body.total_sensei]
}

await primary.createSensei()
for (let count = 0; count < 2; count += 1) await standby.createSensei()

test('reads the super admin’s figures from the standby, and lists from the primary', async () => {
  const fixtures = await serveWith(standby.databaseUrl)
  expect(await readFigures(fixtures)).toEqual([200, 2])
  const superAdmin = await fixtures.signInSuperAdmin()
  const { body } = await superAdmin.get('/super-admin/sensei')
  expect(body.sensei_list).toHaveLength(1)
})

test('reads from the primary while the standby is down', async () => {
  const fixtures = await serveWith(UNREACHABLE_URL)
  expect(await readFigures(fixtures)).toEqual([200, 1])
})

test('reads from the primary if the standby does not have a row yet', async () => {
  const fixtures = await serveWith(standby.databaseUrl)
  const sensei = await fixtures.createSensei()
  const { status, body } = await sensei.get('/dashboard/analytics')
  expect([status, body.movements?.length]).toEqual([200, 12])
})

test('does not use a standby for a while after a failure', async () => {
  let readCount = 0
  const failingStandby = {
    ...primary.db,
    withoutDojo: () => {
      readCount += 1
      return Promise.reject(Object.assign(new Error('starting'), { code: '57P03' }))
    },
  }
  const replica = preferStandby(primary.db, failingStandby)
  expect([
    await replica.withoutDojo(async () => 1),
    await replica.withoutDojo(async () => 2),
    readCount,
  ]).toEqual([1, 2, 1])
})
