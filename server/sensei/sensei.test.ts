import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { setClock } from '../test/clock.ts'
import { exampleSensei, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { allowanceEntries } from '../texting/tables.ts'

const server = await startTestServer()
const superAdmin = await server.signInSuperAdmin()
type ListedSensei = {
  sensei_id: string
  email: string
  full_name: string
  total_students: number
  is_active: boolean
  activity: { last_seen_on: string | null; texts: number }
}
const listSensei = async (admin = superAdmin) =>
  (await admin.get('/super-admin/sensei')).body.sensei_list as ListedSensei[]
const readStats = async () => (await superAdmin.get('/super-admin/dashboard-stats')).body
const toggleActive = (id: string) => superAdmin.put(`/super-admin/sensei/${id}/toggle-active`)
const listAuditActions = async (id: string) =>
  (
    await server.db.withoutDojo((tx) =>
      tx.execute(sql`
  select actor_id, action from audit_log where subject_id = ${id} order by id`),
    )
  ).rows

test('lists every sensei, newest first, with the students of their dojo', async () => {
  const [busySensei, quietSensei] = [
    await server.createSensei({ first_name: 'Busy' }),
    await server.createSensei({ first_name: 'Quiet' }),
  ]
  for (let i = 0; i < 3; i += 1) await server.createStudent(busySensei)
  await server.createStudent(quietSensei, { is_trial: true })
  expect((await listSensei()).slice(0, 2)).toMatchObject([
    { sensei_id: quietSensei.id, full_name: 'Quiet Tanaka', total_students: 1, is_active: true },
    { sensei_id: busySensei.id, full_name: 'Busy Tanaka', total_students: 3, is_active: true },
  ])
})

test('shows when a sensei was last logged in, and the texts of the last 30 days', async () => {
  setClock('2027-03-31T12:00:00Z')
  const admin = await server.signInSuperAdmin()
  const sensei = await server.createSensei()
  const neverSeen = exampleSensei()
  await server.anonymous.post('/sensei/register', neverSeen)
  await server.db.inDojo(sensei.dojoId, async (tx) => {
    for (const [day, texts] of [
      ['2027-03-01', 40],
      ['2027-03-02', 5],
      ['2027-03-31', 3],
      ['2027-03-31', -1],
    ] as const)
      await tx.insert(allowanceEntries).values({ id: newId(), day, texts, reason: 'bulk' })
  })
  const findActivity = async (email: string) =>
    (await listSensei(admin)).find((row) => row.email === email)?.activity
  expect(await findActivity(sensei.email)).toEqual({ last_seen_on: '2027-03-31', texts: 7 })
  expect(await findActivity(neverSeen.email)).toEqual({ last_seen_on: null, texts: 0 })
  setClock('2027-04-02T12:00:00Z')
  await sensei.get('/students')
  await expect
    .poll(() => findActivity(sensei.email))
    .toEqual({ last_seen_on: '2027-04-02', texts: 2 })
})

test('counts active and inactive sensei', async () => {
  const statsBefore = await readStats()
  const sensei = await server.createSensei()
  await server.createStudent(sensei)
  await server.anonymous.post('/sensei/register', exampleSensei())
  const expectedStats = {
    total_sensei: statsBefore.total_sensei + 2,
    active_sensei: statsBefore.active_sensei + 1,
    inactive_sensei: statsBefore.inactive_sensei + 1,
  }
  expect(await readStats()).toEqual(expectedStats)
  await toggleActive(sensei.id)
  expect(await readStats()).toEqual({
    ...expectedStats,
    active_sensei: expectedStats.active_sensei - 1,
    inactive_sensei: expectedStats.inactive_sensei + 1,
  })
})

test('lets a sensei sign in only while active', async () => {
  const form = exampleSensei()
  await server.anonymous.post('/sensei/register', form)
  const { sensei_id } = (await listSensei()).find(({ email }) => email === form.email)!
  const signIn = async () =>
    (await server.anonymous.post('/login', { email: form.email, password: PASSWORD })).status
  expect(await signIn()).toBe(403)
  expect((await toggleActive(sensei_id)).body).toEqual({ is_active: true, is_emailed: false })
  expect(await signIn()).toBe(200)
  expect((await toggleActive(sensei_id)).body).toEqual({ is_active: false, is_emailed: false })
  expect(await signIn()).toBe(403)
  expect((await listSensei()).find((row) => row.sensei_id === sensei_id)!.is_active).toBe(false)
})

test('records every activation and deactivation with its actor in the audit log', async () => {
  const { id } = await server.createSensei()
  await toggleActive(id)
  await toggleActive(id)
  const actions = ['sensei activated', 'sensei deactivated', 'sensei activated']
  expect(await listAuditActions(id)).toEqual(
    actions.map((action) => ({ actor_id: superAdmin.id, action })),
  )
})

test('applies each of several concurrent toggles', async () => {
  const { id } = await server.createSensei()
  const responses = await Promise.all(Array.from({ length: 6 }, () => toggleActive(id)))
  expect(responses.filter(({ body }) => body.is_active)).toHaveLength(3)
  expect(await listAuditActions(id)).toHaveLength(7)
})

test('keeps all data of a deactivated dojo', async () => {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const { email } = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  const studentsBefore = (await sensei.get('/students')).body
  await toggleActive(sensei.id)
  await toggleActive(sensei.id)
  expect((await (await server.signIn(sensei.email)).get('/students')).body).toEqual(studentsBefore)
  expect((await server.signIn(email)).token).toBeDefined()
})

test('does not toggle students, super admins or unknown ids', async () => {
  const student = await server.createStudent(await server.createSensei())
  const toggleReply = async (id: string) => {
    const { status, body } = await toggleActive(encodeURIComponent(id))
    return [status, body.detail]
  }
  for (const id of [newId(), student.id, superAdmin.id])
    expect(await toggleReply(id)).toEqual([404, 'Sensei not found'])
  for (const id of ['x', '1 or 1=1'])
    expect(await toggleReply(id)).toEqual([404, 'There is nothing at this address.'])
  expect((await student.get('/profile')).status).toBe(200)
  expect((await superAdmin.get('/profile')).status).toBe(200)
})

test('refuses instructors and students with 403, and visitors with 401', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  for (const [person, status] of [
    [sensei, 403],
    [student, 403],
    [server.anonymous, 401],
  ] as const) {
    const responses = [
      await person.get('/super-admin/sensei'),
      await person.get('/super-admin/dashboard-stats'),
      await person.put(`/super-admin/sensei/${sensei.id}/toggle-active`),
    ]
    expect(responses.map((response) => response.status)).toEqual([status, status, status])
  }
  expect((await sensei.get('/profile')).status).toBe(200)
})
