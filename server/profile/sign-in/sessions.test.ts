import { describe, expect, test, vi } from 'vitest'
import { describeDevice } from '../../accounts/device.ts'
import { moveClock } from '../../lib/clock.ts'
import { PASSWORD } from '../../test/fixtures.ts'
import { createClients, startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const MINUTE_MS = 60_000
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/140.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, ' +
  'like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

async function signInFromDevice(email: string, userAgent: string, remoteAddress: string) {
  const payload = { email, password: PASSWORD }
  const response = await server.http.inject({
    method: 'POST',
    url: '/api/login',
    payload,
    remoteAddress,
    headers: { 'user-agent': userAgent },
  })
  return server.clientFor(response.json().token)
}
type ListedSession = {
  id: string
  device: string | null
  address: string | null
  is_current: boolean
  last_used_at: string
}
const listSessions = async (client: { get: (path: string) => Promise<{ body: unknown }> }) =>
  (await client.get('/sessions')).body as ListedSession[]

test.each([
  [CHROME, 'Chrome on Windows'],
  [IPHONE, 'Safari on iOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      'Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36',
    'The app on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, ' +
      'like Gecko) Mobile/15E148',
    'The app on iOS',
  ],
  ['', null],
  ['x'.repeat(100_000), null],
])('describes the user agent %s as %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device)
})

describe('the list of sessions', () => {
  test('shows device, address and which session is the current one', async () => {
    const { email } = await server.createSensei()
    const computer = await signInFromDevice(email, CHROME, '10.0.0.1')
    const phone = await signInFromDevice(email, IPHONE, '10.0.0.2')
    const sessions = await listSessions(phone)
    expect(
      sessions.map(({ device, address, is_current }) => [device, address, is_current]),
    ).toEqual([
      ['Safari on iOS', '10.0.0.2', true],
      ['Chrome on Windows', '10.0.0.1', false],
      [null, null, false],
    ])
    expect((await listSessions(computer))[0]).toMatchObject({
      device: 'Chrome on Windows',
      is_current: true,
    })
  })

  test('records a use after ten minutes, and polling after an hour', async () => {
    const { email } = await server.createSensei()
    const phone = await signInFromDevice(email, IPHONE, '10.0.0.2')
    const readLastUse = async () => {
      await server.http.backgroundTasksDone()
      const sessionRows = await server.db.withoutDojo((tx) =>
        tx.execute<{ at: string }>(
          `select last_used_at as at from sessions order by created_at desc limit 1`,
        ),
      )
      return new Date(sessionRows.rows[0]!.at).getTime()
    }
    const firstUse = await readLastUse()
    moveClock(9 * MINUTE_MS)
    await phone.get('/classes')
    expect(await readLastUse()).toBe(firstUse)
    moveClock(2 * MINUTE_MS)
    await phone.get('/notifications/unread-count')
    expect(await readLastUse()).toBe(firstUse)
    await phone.get('/classes')
    const secondUse = await readLastUse()
    expect(secondUse).toBeGreaterThan(firstUse)
    moveClock(61 * MINUTE_MS)
    await phone.get('/notifications/unread-count')
    expect(await readLastUse()).toBeGreaterThan(secondUse)
  })

  test('shows the address of the last use', async () => {
    const { email } = await server.createSensei()
    const phone = await signInFromDevice(email, IPHONE, '10.0.0.2')
    moveClock(11 * MINUTE_MS)
    const headers = { authorization: `Bearer ${phone.token}` }
    await server.http.inject({ url: '/api/classes', headers, remoteAddress: '10.0.0.9' })
    await server.http.backgroundTasksDone()
    expect((await listSessions(phone))[0]).toMatchObject({ address: '10.0.0.9' })
  })
})

describe('logging out', () => {
  test('another device ends the device’s session on every server, with the reason', async () => {
    const { email } = await server.createSensei()
    const secondServer = await server.openServer()
    const computer = await signInFromDevice(email, CHROME, '10.0.0.1')
    const phone = await signInFromDevice(email, IPHONE, '10.0.0.2')
    const phoneOnSecondServer = createClients(secondServer.http).clientFor(phone.token)
    expect((await phoneOnSecondServer.get('/classes')).status).toBe(200)
    const { id } = (await listSessions(computer)).find(({ device }) => device === 'Safari on iOS')!
    expect((await computer.delete(`/sessions/${id}`)).body).toEqual({ success: true })
    const endedReply = {
      status: 401,
      body: { detail: 'Authentication required. Please log in again.', reason: 'signed-out' },
    }
    expect(await phone.get('/classes')).toMatchObject(endedReply)
    await vi.waitFor(
      async () => expect(await phoneOnSecondServer.get('/classes')).toMatchObject(endedReply),
      { timeout: 5000, interval: 5 },
    )
    expect((await computer.get('/classes')).status).toBe(200)
    expect((await computer.delete(`/sessions/${id}`)).status).toBe(404)
  })

  test('all other devices keeps this session and the sessions of other people', async () => {
    const sensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    const computer = await signInFromDevice(sensei.email, CHROME, '10.0.0.1')
    expect((await computer.delete('/sessions')).body).toEqual({ ended: 1 })
    expect(await sensei.get('/classes')).toMatchObject({
      status: 401,
      body: { reason: 'signed-out' },
    })
    expect([
      (await computer.get('/classes')).status,
      (await otherSensei.get('/classes')).status,
    ]).toEqual([200, 200])
    expect(await listSessions(computer)).toHaveLength(1)
  })

  test('another person’s session fails with 404', async () => {
    const sensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    const [{ id } = { id: '' }] = await listSessions(otherSensei)
    expect((await sensei.delete(`/sessions/${id}`)).status).toBe(404)
    expect((await otherSensei.get('/classes')).status).toBe(200)
  })
})

test('tells other devices that the password changed, but not that somebody logged out', async () => {
  const sensei = await server.createSensei()
  const phone = await signInFromDevice(sensei.email, IPHONE, '10.0.0.2')
  await phone.put('/profile/password', { current_password: PASSWORD, new_password: 'chosen-by-me' })
  expect((await sensei.get('/classes')).body.reason).toBe('password-changed')
  await phone.post('/logout')
  expect((await phone.get('/classes')).body).toEqual({
    detail: 'Authentication required. Please log in again.',
  })
})
