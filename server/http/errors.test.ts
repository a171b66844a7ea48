import { createServer } from 'node:net'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { createClients, TEST_SETTINGS, startTestServer } from '../test/test-server.ts'
import { connect } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'

const server = await startTestServer()
const sensei = await server.createSensei()
const UNAVAILABLE = [
  503,
  { detail: 'The service is not available right now. Please try again in a moment.' },
]
const INTERNAL_ERROR = [500, { detail: 'Something went wrong' }]

const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())

async function withDatabaseAt(
  url: string,
  work: (clients: ReturnType<typeof createClients>) => Promise<void>,
) {
  const db = connect(url, { queryTimeoutMs: 500 })
  const http = await buildApp({ db, pubsub: server.pubsub, env: TEST_SETTINGS })
  try {
    await work(createClients(http))
  } finally {
    await http.close()
    await db.close()
  }
}
const changeDatabaseUrl = (changes: Partial<URL>) =>
  Object.assign(new URL(server.databaseUrl), changes).href
const createDatabaseUrl = (port: number) =>
  changeDatabaseUrl({ host: '127.0.0.1', port: String(port), search: '' })

describe('a server whose database is unavailable', () => {
  test.each([
    ['whose port is closed', createDatabaseUrl(1)],
    ['whose name does not exist', changeDatabaseUrl({ pathname: '/gone' })],
  ])('responds with 503 and Retry-After for a database %s', async (_, url) => {
    await withDatabaseAt(url, async ({ anonymous, clientFor, signIn }) => {
      const responses = [
        await clientFor(sensei.token).get('/classes'),
        await anonymous.post('/login', { email: sensei.email, password: 'x' }),
        await anonymous.get('/invitations'),
      ]
      expect(responses.map(({ status, body }) => [status, body])).toEqual([
        UNAVAILABLE,
        UNAVAILABLE,
        [404, { detail: 'Not found' }],
      ])
      expect(responses[0]!.headers['retry-after']).toBe('2')
      expect((await signIn('a@b.com')).token).toBeUndefined()
    })
  })

  test('responds with 503 within eight seconds if the database stays silent', async () => {
    const silentServer = createServer(() => {})
    await new Promise<void>((resolve) => {
      silentServer.listen(0, '127.0.0.1', resolve)
    })
    const { port } = silentServer.address() as { port: number }
    await withDatabaseAt(createDatabaseUrl(port), async ({ clientFor }) => {
      const startedAt = performance.now()
      const { status, body } = await clientFor(sensei.token).get('/classes')
      expect([status, body]).toEqual(UNAVAILABLE)
      expect(performance.now() - startedAt).toBeLessThan(8000)
    })
    silentServer.close()
  })

  test('serves calls again once the database is back', async () => {
    const { http } = await server.openServer()
    const remoteClient = createClients(http).clientFor(sensei.token)
    expect((await remoteClient.get('/classes')).status).toBe(200)
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = ' +
        'current_database() and usename is not null and pid <> pg_backend_pid()',
    )
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect([200, 503]).toContain((await remoteClient.get('/classes')).status)
    expect((await remoteClient.get('/classes')).status).toBe(200)
  })
})

describe('an error in a handler', () => {
  const readReplyAfterError = async (failure: () => unknown) => {
    const http = await buildApp({ db: server.db, pubsub: server.pubsub, env: TEST_SETTINGS })
    http.get('/api/fail', () => failure())
    const { statusCode, headers, json } = await http.inject('/api/fail')
    await http.close()
    return { reply: [statusCode, json()], headers }
  }
  const runStatement = (sqlText: string) => () =>
    server.db.withoutDojo((tx) => tx.execute(sql.raw(sqlText)))

  test.each([
    [
      'a bug',
      () => {
        throw new TypeError("Cannot read properties of undefined (reading 'x')")
      },
      INTERNAL_ERROR,
    ],
    ['a failed query', runStatement('select * from nowhere'), INTERNAL_ERROR],
    [
      'a statement that takes too long',
      runStatement('set local statement_timeout = 20; select pg_sleep(1)'),
      UNAVAILABLE,
    ],
    [
      'a database that shuts down',
      runStatement("do $$ begin raise 'x' using errcode = '57P01'; end $$"),
      UNAVAILABLE,
    ],
    [
      'too many connections',
      runStatement("do $$ begin raise 'x' using errcode = '53300'; end $$"),
      UNAVAILABLE,
    ],
    [
      'a referenced row that was deleted',
      runStatement("do $$ begin raise 'x' using errcode = '23503'; end $$"),
      [409, { detail: 'This was changed in the meantime. Please reload and try again.' }],
    ],
    [
      'a refusal',
      () => {
        throw new Refusal(409, 'Taken', { errors: [{ field: 'email', message: 'Taken' }] })
      },
      [409, { detail: 'Taken', errors: [{ field: 'email', message: 'Taken' }] }],
    ],
  ])('turns %s into the right status and body', async (_, failure, expectedReply) => {
    expect((await readReplyAfterError(failure)).reply).toEqual(expectedReply)
  })

  test('an invalid id of any length gets the same response as an unknown id', async () => {
    const client = server.clientFor(sensei.token)
    for (const id of ['not-an-id', 'x'.repeat(300), 'x'.repeat(5000)])
      for (const path of [`/students/${id}`, `/certificates/${id}`, `/sms/batches/${id}`])
        expect((await client.get(path)).body).toEqual({
          detail: expect.stringMatching(/^(There is nothing at this address|.* not found)/),
        })
    expect((await server.anonymous.get(`/students/${'x'.repeat(300)}`)).status).toBe(401)
  })

  test('the reply has the id of the request, which is also in the log', async () => {
    const { headers } = await readReplyAfterError(() => {
      throw new Error('bug')
    })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})
