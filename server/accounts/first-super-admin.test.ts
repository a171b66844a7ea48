import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { createFirstSuperAdmin } from './first-super-admin.ts'

const server = await startTestServer()
async function listSuperAdmins() {
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute(sql`select email, is_active, dojo_id from accounts where role = 'super-admin'`),
  )
  return rows
}

beforeEach(async () => {
  await server.db.withoutDojo((tx) =>
    tx.execute(sql`delete from accounts where role = 'super-admin'`),
  )
})

test('creates the configured super admin without returning the password', async () => {
  expect(
    await createFirstSuperAdmin(server.db, { email: 'Boss@Dojo.org', password: 'chosen-by-me' }),
  ).toEqual({ email: 'boss@dojo.org' })
  expect(await listSuperAdmins()).toEqual([
    { email: 'boss@dojo.org', is_active: true, dojo_id: null },
  ])
  const { status, body } = await server.anonymous.post('/login', {
    email: 'boss@dojo.org',
    password: 'chosen-by-me',
  })
  expect([status, body.user]).toMatchObject([200, { is_super_admin: true, is_instructor: false }])
})

test('creates admin@tatami.local with a generated password by default', async () => {
  const firstAdmin = await createFirstSuperAdmin(server.db, {})
  expect(firstAdmin).toEqual({
    email: 'admin@tatami.local',
    password: expect.stringMatching(/^[\w-]{16}$/),
  })
  expect((await server.anonymous.post('/login', firstAdmin!)).status).toBe(200)
})

test('changes nothing if there is already a super admin', async () => {
  await createFirstSuperAdmin(server.db, { password: 'chosen-by-me' })
  expect(
    await createFirstSuperAdmin(server.db, { email: 'other@dojo.org', password: 'another-one' }),
  ).toBeNull()
  expect(await listSuperAdmins()).toMatchObject([{ email: 'admin@tatami.local' }])
  const { status } = await server.anonymous.post('/login', {
    email: 'admin@tatami.local',
    password: 'another-one',
  })
  expect(status).toBe(401)
})

test('creates one super admin when servers start at the same time', async () => {
  const secondServer = await server.openServer()
  const admins = await Promise.all(
    [server, secondServer, server, secondServer].map(({ db }) => createFirstSuperAdmin(db, {})),
  )
  expect(admins.filter((admin) => admin !== null)).toHaveLength(1)
  expect(await listSuperAdmins()).toHaveLength(1)
})
