import { expect, test, vi } from 'vitest'
import type { runInWorker } from '../accounts/password-hashing.ts'
import { exampleStudent, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const hashing = vi.hoisted(() => ({ isHeld: false, held: [] as (() => void)[] }))
// Hashing ends when the test says so.
vi.mock('../accounts/password-hashing.ts', async (original) => {
  const real = await original<typeof import('../accounts/password-hashing.ts')>()
  const runHeld = async (task: Parameters<typeof runInWorker>[0]) => {
    if (hashing.isHeld) await new Promise<void>((resolve) => hashing.held.push(resolve))
    return real.runInWorker(task)
  }
  return { ...real, runInWorker: runHeld }
})

const server = await startTestServer()
const statusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
const DEAD = [401, 'Authentication required. Please log in again.']

async function slowly(
  call: () => ReturnType<typeof server.anonymous.post>,
  meanwhile: () => Promise<unknown>,
) {
  hashing.isHeld = true
  const answer = call()
  await vi.waitFor(() => expect(hashing.held).toHaveLength(1))
  await meanwhile()
  hashing.isHeld = false
  hashing.held.pop()!()
  return statusAndDetail(await answer)
}
async function anInvitation() {
  const [sensei, boss] = [await server.createSensei(), await server.signInSuperAdmin()]
  const { invite_code } = (await sensei.get('/invitation')).body
  return {
    sensei,
    boss,
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
  const { sensei, boss, join } = await anInvitation()
  const toggle = () => boss.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
  expect(await slowly(join, toggle)).toEqual([
    403,
    'Your dojo is not active. Please contact your instructor.',
  ])
  await toggle()
  expect((await (await server.signIn(sensei.email)).get('/students')).body).toEqual([])
})

test('refuses to join by an invitation that is replaced during hashing', async () => {
  const { sensei, join } = await anInvitation()
  expect(await slowly(join, () => sensei.post('/invitation'))).toEqual([
    400,
    'This invitation is not valid',
  ])
  expect((await sensei.get('/students')).body).toEqual([])
})

test('refuses to change a password when the session ends during hashing', async () => {
  const sensei = await server.createSensei()
  const passwordForm = { current_password: PASSWORD, new_password: 'the thief’s own' }
  expect(
    await slowly(
      () => sensei.put('/profile/password', passwordForm),
      () => sensei.post('/logout'),
    ),
  ).toEqual(DEAD)
  const newSession = await server.signIn(sensei.email)
  const settings = { email: 'thief@dojo.com', dojo_name: 'Stolen', password: 'the thief’s own' }
  expect(
    await slowly(
      () => newSession.put('/profile', settings),
      () => newSession.post('/logout'),
    ),
  ).toEqual(DEAD)
  expect((await (await server.signIn(sensei.email)).get('/profile')).body).toMatchObject({
    email: sensei.email,
    dojo_name: 'Cedar Park Judo',
  })
})

test('refuses writes of a sensei who is deactivated during the call', async () => {
  const [sensei, boss] = [await server.createSensei(), await server.signInSuperAdmin()]
  const toggle = () => boss.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
  expect(
    await slowly(
      () => sensei.post('/students', exampleStudent({ class_preferences: ['saturday'] })),
      toggle,
    ),
  ).toEqual(DEAD)
  await toggle()
  expect((await (await server.signIn(sensei.email)).get('/students')).body).toEqual([])
  const reset = () =>
    boss.put(`/super-admin/sensei/${sensei.id}/reset-password`, { new_password: 'the thief’s own' })
  expect(await slowly(reset, () => boss.post('/logout'))).toEqual(DEAD)
  await server.signIn(sensei.email)
})

test('saves settings once when they are sent twice at the same time', async () => {
  const sensei = await server.createSensei()
  const save = () => sensei.put('/profile', { email: sensei.email, dojo_name: 'Saved' })
  expect(
    (await Promise.all([save(), save()])).map(({ status }) => status).toSorted((a, b) => a - b),
  ).toEqual([200, 401])
})
