import { expect, test, vi } from 'vitest'
import type { runInWorker } from '../accounts/password-hashing.ts'
import { exampleStudent, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const hashing = vi.hoisted(() => ({ isPaused: false, releaseFunctions: [] as (() => void)[] }))
// While `isPaused` is true, each hash waits until the test releases it.
vi.mock('../accounts/password-hashing.ts', async (original) => {
  const real = await original<typeof import('../accounts/password-hashing.ts')>()
  const runWhenReleased = async (task: Parameters<typeof runInWorker>[0]) => {
    if (hashing.isPaused)
      await new Promise<void>((resolve) => hashing.releaseFunctions.push(resolve))
    return real.runInWorker(task)
  }
  return { ...real, runInWorker: runWhenReleased }
})

const server = await startTestServer()
const getStatusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
const SESSION_ENDED = [401, 'Authentication required. Please log in again.']

async function changeDuringHashing(
  call: () => ReturnType<typeof server.anonymous.post>,
  change: () => Promise<unknown>,
) {
  hashing.isPaused = true
  const response = call()
  await vi.waitFor(() => expect(hashing.releaseFunctions).toHaveLength(1))
  await change()
  hashing.isPaused = false
  hashing.releaseFunctions.pop()?.()
  return getStatusAndDetail(await response)
}
async function createInvitation() {
  const sensei = await server.createSensei()
  const superAdmin = await server.signInSuperAdmin()
  const { invite_code } = (await sensei.get('/invitation')).body
  return {
    sensei,
    superAdmin,
    join: () =>
      server.anonymous.post('/register', {
        name: 'Mia Chen',
        email: `mia${invite_code}@home.org`,
        password: PASSWORD,
        invite_code,
      }),
  }
}

test('refuses to join a dojo that is deactivated during hashing', async () => {
  const { sensei, superAdmin, join } = await createInvitation()
  const toggleActive = () => superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
  expect(await changeDuringHashing(join, toggleActive)).toEqual([
    403,
    'Your dojo is not active. Please contact your instructor.',
  ])
  await toggleActive()
  const client = await server.signIn(sensei.email)
  expect((await client.get('/students')).body).toEqual([])
})

test('refuses to join by an invitation that is replaced during hashing', async () => {
  const { sensei, join } = await createInvitation()
  expect(await changeDuringHashing(join, () => sensei.post('/invitation'))).toEqual([
    400,
    'This invitation is not valid',
  ])
  expect((await sensei.get('/students')).body).toEqual([])
})

test('refuses to change a password when the session ends during hashing', async () => {
  const sensei = await server.createSensei()
  const passwordForm = { current_password: PASSWORD, new_password: 'the thief’s own' }
  expect(
    await changeDuringHashing(
      () => sensei.put('/profile/password', passwordForm),
      () => sensei.post('/logout'),
    ),
  ).toEqual(SESSION_ENDED)
  const newSession = await server.signIn(sensei.email)
  const settings = { email: 'thief@dojo.com', dojo_name: 'Stolen', password: 'the thief’s own' }
  expect(
    await changeDuringHashing(
      () => newSession.put('/profile', settings),
      () => newSession.post('/logout'),
    ),
  ).toEqual(SESSION_ENDED)
  const client = await server.signIn(sensei.email)
  expect((await client.get('/profile')).body).toMatchObject({
    email: sensei.email,
    dojo_name: 'Cedar Park Judo',
  })
})

test('refuses changes by a sensei who is deactivated during the call', async () => {
  const sensei = await server.createSensei()
  const superAdmin = await server.signInSuperAdmin()
  const toggleActive = () => superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
  expect(
    await changeDuringHashing(
      () => sensei.post('/students', exampleStudent({ class_preferences: ['saturday'] })),
      toggleActive,
    ),
  ).toEqual(SESSION_ENDED)
  await toggleActive()
  const client = await server.signIn(sensei.email)
  expect((await client.get('/students')).body).toEqual([])
  const reset = () =>
    superAdmin.put(`/super-admin/sensei/${sensei.id}/reset-password`, {
      new_password: 'the thief’s own',
    })
  expect(await changeDuringHashing(reset, () => superAdmin.post('/logout'))).toEqual(SESSION_ENDED)
  await server.signIn(sensei.email)
})

test('saves settings only once if they are sent twice at the same time', async () => {
  const sensei = await server.createSensei()
  const save = () => sensei.put('/profile', { email: sensei.email, dojo_name: 'Saved' })
  const responses = await Promise.all([save(), save()])
  const statuses = responses.map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401])
})
