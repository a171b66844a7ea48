import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { ADMIN, connectForFixtures, exampleClass, PASSWORD } from './test/fixtures.ts'
import { createFixtures } from './test/test-server.ts'
import { runQueries, startTemporaryCluster } from './test/temporary-cluster.ts'
import { httpTarget, endServers, findFreePort, runServer } from './test/real-server.ts'

vi.setConfig({ testTimeout: 60_000 })
const { superuserUrl, stop } = await startTemporaryCluster()
const loginUrl = (username: string, password = 'secret') =>
  Object.assign(new URL(superuserUrl), { username, password }).href

/** The SQL that a superuser runs according to docs/OPERATIONS.md. psql's `\c` is left out, because
 *  the test is already connected to that database. */
const OPERATIONS_GUIDE = readFileSync(new URL('../docs/OPERATIONS.md', import.meta.url), 'utf8')
const ROLE_SETUP_SQL = /```sql\n([^`]+)```/.exec(OPERATIONS_GUIDE)![1]!.replace('\\c tatami\n', '')
await runQueries(superuserUrl, "create role tatami login password 'secret'", ROLE_SETUP_SQL)

afterEach(endServers)
afterAll(stop)

async function launchServer(settings: Record<string, string>) {
  const port = await findFreePort()
  return {
    ...runServer({
      PORT: port,
      SUPER_ADMIN_EMAIL: ADMIN.email,
      SUPER_ADMIN_PASSWORD: PASSWORD,
      ...settings,
    }),
    address: `http://127.0.0.1:${port}`,
  }
}
const db = connectForFixtures(loginUrl('tatami'))
afterAll(() => db.close())
async function launchAndWaitUntilReady(settings: Record<string, string>) {
  const { waitForOutput, address } = await launchServer(settings)
  await waitForOutput('Tatami is ready at')
  return createFixtures({ http: httpTarget(address), db })
}

test('runs without superuser rights after the role setup in docs/OPERATIONS.md', async () => {
  const { createSensei } = await launchAndWaitUntilReady({ DATABASE_URL: loginUrl('tatami') })
  const { post } = await createSensei()
  expect((await post('/classes', exampleClass())).status).toBe(200)
})

test.runIf(process.env.LONG)(
  'fails to start with a one-line error if the limited role tatami_app cannot log in',
  async () => {
    const { ended } = await launchServer({
      DATABASE_URL: loginUrl('tatami'),
      APP_DATABASE_URL: loginUrl('tatami_app'),
    })
    expect(await ended).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^Could not prepare the database: .*tatami_app/)],
    })
  },
)

test('serves requests as the limited role tatami_app once that role can log in', async () => {
  await runQueries(superuserUrl, "alter role tatami_app login password 'secret'")
  const { signInSuperAdmin } = await launchAndWaitUntilReady({
    DATABASE_URL: loginUrl('tatami'),
    APP_DATABASE_URL: loginUrl('tatami_app'),
  })
  expect(
    (await (await signInSuperAdmin()).get('/super-admin/sensei')).body.sensei_list,
  ).toHaveLength(1)
  // Each request ends with a commit, so the last statement of an idle connection tells its role.
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  const { rows } = await client.query(
    "select distinct usename from pg_stat_activity where query like '%commit' and application_name <> 'fixtures'",
  )
  await client.end()
  expect(rows).toEqual([{ usename: 'tatami_app' }])
})

test('waits on startup while the database drops connections, as in a failover', async () => {
  let connectionCount = 0
  const socket = join(new URL(superuserUrl).searchParams.get('host')!, '.s.PGSQL.5432')
  const proxy = createServer((client) => {
    if ((connectionCount += 1) <= 2) return void client.destroy()
    const database = createConnection(socket)
    return void pipeline(client, database, client, () => {})
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { waitForOutput } = await launchServer({
    DATABASE_URL: `postgresql://tatami:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}/tatami`,
  })
  await waitForOutput('Tatami is ready at')
  expect(connectionCount).toBeGreaterThan(2)
  await endServers()
  proxy.close()
})

test('logging out ends the session on every server that shares the database', async () => {
  const [firstServer, secondServer] = await Promise.all([
    launchAndWaitUntilReady({ DATABASE_URL: loginUrl('tatami') }),
    launchAndWaitUntilReady({ DATABASE_URL: loginUrl('tatami') }),
  ])
  const sensei = await firstServer.createSensei()
  const [sameSession, phoneSession] = [
    secondServer.clientFor(sensei.token),
    await secondServer.signIn(sensei.email),
  ]
  expect([
    (await sameSession.get('/classes')).status,
    (await phoneSession.get('/classes')).status,
  ]).toEqual([200, 200])
  await sensei.post('/logout')
  await vi.waitFor(async () => expect((await sameSession.get('/classes')).status).toBe(401), {
    timeout: 2000,
    interval: 1,
  })
  expect((await phoneSession.get('/classes')).status).toBe(200)
  const superAdmin = await firstServer.signInSuperAdmin()
  await superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
  await vi.waitFor(async () => expect((await phoneSession.get('/classes')).status).toBe(401), {
    timeout: 2000,
    interval: 1,
  })
})

test('refuses to start if a newer version has updated the database', async () => {
  await runQueries(
    superuserUrl,
    "insert into migrations (hash, created_at) select 'of a later version', max(created_at) + 1 from migrations",
  )
  const { ended } = await launchServer({ DATABASE_URL: loginUrl('tatami') })
  expect(await ended).toEqual({
    code: 1,
    lines: [
      expect.stringMatching(
        /^Could not prepare the database: a newer version of Tatami has updated it \(it has \d+ /,
      ),
    ],
  })
})
