import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { moveClock } from '../lib/clock.ts'
import { newId } from '../db/columns.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { createClients, startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const secondServer = await server.openServer()
const createRemoteClient = (token: string | undefined) =>
  createClients(secondServer.http).clientFor(token)
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())

const SESSION_ENDED = [401, 'Authentication required. Please log in again.']
const getStatusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
/** Retries the check, because messages between servers take a moment. */
const waitUntilPasses = (check: () => Promise<void>) =>
  vi.waitFor(check, { timeout: 5000, interval: 5 })

describe('a token', () => {
  test('has 256 random bits', async () => {
    const { email, token } = await server.createSensei()
    const secondSession = await server.signIn(email)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(secondSession.token).not.toBe(token)
  })

  test('is not deleted when it seems expired, because the clock may be wrong', async () => {
    const { email, id } = await server.createSensei()
    const otherSensei = await server.createSensei()
    const countSessions = async (accountId: string) =>
      (await admin.query('select from sessions where account_id = $1', [accountId])).rowCount
    expect([await countSessions(id), await countSessions(otherSensei.id)]).toEqual([1, 1])
    moveClock(31 * DAY_MS)
    await server.signIn(email)
    moveClock(-31 * DAY_MS)
    expect([await countSessions(id), await countSessions(otherSensei.id)]).toEqual([2, 1])
  })

  test('is stored only as its SHA-256', async () => {
    const { token } = await server.createSensei()
    const { rows: sessions } = await admin.query<{ token_hash: string }>(
      'select token_hash from sessions',
    )
    expect(sessions.map(({ token_hash }) => token_hash)).toContain(
      createHash('sha256').update(token).digest('base64url'),
    )
    const { rows: tables } = await admin.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = " +
        "'public'::regnamespace",
    )
    for (const { name } of tables) {
      const { rows } = await admin.query(
        `select 1 from "${name}" t where t::text like '%' || $1 || '%'`,
        [token],
      )
      expect([name, rows]).toEqual([name, []])
    }
  })
})

describe('a session', () => {
  test('is valid for 30 days after its last use', async () => {
    const sensei = await server.createSensei()
    for (const days of [29, 29, 29]) {
      moveClock(days * DAY_MS)
      expect((await sensei.get('/profile')).status).toBe(200)
    }
    moveClock(31 * DAY_MS)
    expect(getStatusAndDetail(await sensei.get('/profile'))).toEqual(SESSION_ENDED)
    expect(getStatusAndDetail(await createRemoteClient(sensei.token).get('/profile'))).toEqual(
      SESSION_ENDED,
    )
  })

  test('remains valid on a server while it is used only on another server', async () => {
    const sensei = await server.createSensei()
    expect((await createRemoteClient(sensei.token).get('/profile')).status).toBe(200)
    for (const days of [20, 20]) {
      moveClock(days * DAY_MS)
      expect((await sensei.get('/profile')).status).toBe(200)
      // The use is recorded in the background, and must be before the clock moves on.
      await server.http.backgroundTasksDone()
    }
    expect((await createRemoteClient(sensei.token).get('/profile')).status).toBe(200)
  })

  test('ends on every server at logout, but the account’s other sessions continue', async () => {
    const sensei = await server.createSensei()
    const phone = await server.signIn(sensei.email)
    expect((await createRemoteClient(sensei.token).get('/profile')).status).toBe(200)
    expect((await sensei.post('/logout')).body).toEqual({ success: true })
    expect(getStatusAndDetail(await sensei.get('/profile'))).toEqual(SESSION_ENDED)
    await waitUntilPasses(async () =>
      expect(getStatusAndDetail(await createRemoteClient(sensei.token).get('/profile'))).toEqual(
        SESSION_ENDED,
      ),
    )
    expect((await phone.get('/profile')).status).toBe(200)
  })

  test('ends on every server for a deactivated sensei and all students of the dojo', async () => {
    const sensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    const superAdmin = await server.signInSuperAdmin()
    const people = [sensei, await server.createStudent(sensei), await server.createStudent(sensei)]
    for (const { token, get } of [...people, otherSensei])
      expect([
        (await get('/classes')).status,
        (await createRemoteClient(token).get('/classes')).status,
      ]).toEqual([200, 200])
    await superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    for (const { token, get } of people) {
      expect(getStatusAndDetail(await get('/classes'))).toEqual(SESSION_ENDED)
      await waitUntilPasses(async () =>
        expect(getStatusAndDetail(await createRemoteClient(token).get('/classes'))).toEqual(
          SESSION_ENDED,
        ),
      )
    }
    expect([
      (await otherSensei.get('/classes')).status,
      (await createRemoteClient(otherSensei.token).get('/classes')).status,
    ]).toEqual([200, 200])
    await superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    for (const { get } of people)
      expect(getStatusAndDetail(await get('/classes'))).toEqual(SESSION_ENDED)
    expect((await server.signIn(sensei.email)).token).toBeDefined()
  })

  test.each([
    ['in lower case', (id: string) => id],
    ['in upper case', (id: string) => id.toUpperCase()],
  ])('ends when the student is deleted by an id %s', async (_, changeCase) => {
    const sensei = await server.createSensei()
    const student = await server.createStudent(sensei)
    expect([
      (await student.get('/classes')).status,
      (await createRemoteClient(student.token).get('/classes')).status,
    ]).toEqual([200, 200])
    expect((await sensei.delete(`/students/${changeCase(student.id)}`)).status).toBe(200)
    expect(getStatusAndDetail(await student.get('/classes'))).toEqual(SESSION_ENDED)
    await waitUntilPasses(async () =>
      expect(getStatusAndDetail(await createRemoteClient(student.token).get('/classes'))).toEqual(
        SESSION_ENDED,
      ),
    )
  })
})

test.each(['sensei', 'student'])(
  'refuses a %s who signs in while the dojo is being deactivated',
  async (role) => {
    const sensei = await server.createSensei()
    const { email } = role === 'sensei' ? sensei : await server.createStudent(sensei)
    await admin.query('begin')
    await admin.query('update accounts set is_active = false where id = $1', [sensei.id])
    const signInResponse = server.anonymous.post('/login', { email, password: PASSWORD })
    await vi.waitFor(
      async () =>
        expect(
          (
            await admin.query(
              'select 1 from pg_stat_activity where datname = current_database() and ' +
                "wait_event_type = 'Lock'",
            )
          ).rowCount,
        ).toBe(1),
      5000,
    )
    await admin.query('commit')
    expect((await signInResponse).status).toBe(403)
  },
)

describe('a server that receives no messages from the other servers', () => {
  const findListenerPids = async () => {
    const { rows } = await admin.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and query ' +
        "ilike 'listen%' or query = 'select 1'",
    )
    return rows.map(({ pid }) => pid)
  }

  test('does not trust cached sessions until it is connected again', async () => {
    const sensei = await server.createSensei()
    const superAdmin = await server.signInSuperAdmin()
    const otherServersPids = await findListenerPids()
    const thirdServer = await server.openServer()
    const [listenerPid] = (await findListenerPids()).filter(
      (pid) => !otherServersPids.includes(pid),
    )
    const remoteClient = createClients(thirdServer.http).clientFor(sensei.token)
    expect((await remoteClient.get('/classes')).status).toBe(200)
    await admin.query('select pg_terminate_backend($1)', [listenerPid])
    await vi.waitFor(() => expect(thirdServer.pubsub.isLive()).toBe(false), { interval: 1 })
    await superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    expect(getStatusAndDetail(await remoteClient.get('/classes'))).toEqual(SESSION_ENDED)
    await vi.waitFor(() => expect(thirdServer.pubsub.isLive()).toBe(true), { timeout: 5000 })
    expect(getStatusAndDetail(await remoteClient.get('/classes'))).toEqual(SESSION_ENDED)
    const otherSensei = await server.createSensei()
    expect(
      (await createClients(thirdServer.http).clientFor(otherSensei.token).get('/classes')).status,
    ).toBe(200)
    await otherSensei.post('/logout')
    await waitUntilPasses(async () =>
      expect(
        getStatusAndDetail(
          await createClients(thirdServer.http).clientFor(otherSensei.token).get('/classes'),
        ),
      ).toEqual(SESSION_ENDED),
    )
  })
})

test('ends no session for the id of an unknown account', async () => {
  const sensei = await server.createSensei()
  const superAdmin = await server.signInSuperAdmin()
  expect((await superAdmin.put(`/super-admin/sensei/${newId()}/toggle-active`)).status).toBe(404)
  expect((await sensei.get('/classes')).status).toBe(200)
})
