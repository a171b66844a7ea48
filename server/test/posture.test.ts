import { endpoints } from '@tatami/contract/api'
import { expect, test } from 'vitest'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
const sensei = await server.createSensei()

test('no response sets a cookie, lets another site read it, or may be cached', async () => {
  for (const { method, path } of endpoints) {
    const url = `/api${path.replaceAll(/:\w+/g, 'x')}`
    const corsHeaders = {
      authorization: `Bearer ${sensei.token}`,
      origin: 'https://evil.test',
      'access-control-request-method': method,
    }
    const { headers, statusCode } = await server.http.inject({ method, url, headers: corsHeaders })
    expect(
      Object.keys(headers).filter((name) =>
        /^(set-cookie|access-control-.*|server|x-powered-by)$/.test(name),
      ),
    ).toEqual([])
    if (statusCode === 200) expect([path, headers['cache-control']]).toEqual([path, 'no-store'])
    // These calls may have ended the session.
    if (path === '/logout' || path === '/profile')
      Object.assign(sensei, await server.signIn(sensei.email))
  }
})

const tryToSignIn = (http: typeof server.http, headers: Record<string, string>) =>
  http.inject({
    method: 'POST',
    url: '/api/login',
    headers,
    payload: { email: 'nobody@dojo.com', password: 'x' },
  })

test('without a trusted proxy, forged IP addresses do not evade the rate limits', async () => {
  const { http } = await server.openServer({ signInsPerMinute: 3 })
  const statuses: number[] = []
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']) {
    statuses.push((await tryToSignIn(http, { [name]: `203.0.113.${statuses.length}` })).statusCode)
  }
  expect(statuses).toEqual([401, 401, 401, 429])
})

test('behind a trusted proxy, the rate limits use the IP address that it reports', async () => {
  const { http } = await server.openServer({ signInsPerMinute: 1, trustProxy: 1 })
  const readSignInStatus = async (forwardedFor: string) =>
    (await tryToSignIn(http, { 'x-forwarded-for': forwardedFor })).statusCode
  expect([
    await readSignInStatus('203.0.113.1'),
    await readSignInStatus('203.0.113.2'),
    await readSignInStatus('198.51.100.9, 203.0.113.1'),
  ]).toEqual([401, 401, 429])
})

test('links use the public address, whatever the request’s host is', async () => {
  const { http } = await server.openServer({ publicUrl: 'https://dojo.test' })
  const forgedHost = {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    forwarded: 'host=evil.test',
  }
  const headers = { authorization: `Bearer ${sensei.token}`, ...forgedHost }
  const { link } = (await http.inject({ url: '/api/invitation', headers })).json() as {
    link: string
  }
  expect(link).toMatch(/^https:\/\/dojo\.test\/join\/[\w-]{16}$/)
})
