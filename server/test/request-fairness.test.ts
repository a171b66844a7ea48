import { expect, test } from 'vitest'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
/** A fair server responds to another address after at most this many responses to the first one. */
const MAX_EARLIER_RESPONSES = 200
const requestFrom = (remoteAddress: string) =>
  server.http.inject({ url: '/api/there-is-nothing', remoteAddress })

test('a thousand requests from one IP address do not delay another address', async () => {
  let responseCount = 0
  const flood = Array.from({ length: 1000 }, async () => {
    const { statusCode } = await requestFrom('10.0.0.66')
    responseCount += 1
    return statusCode
  })
  expect((await requestFrom('10.0.0.7')).statusCode).toBe(404)
  expect(responseCount).toBeLessThan(MAX_EARLIER_RESPONSES)
  expect(new Set(await Promise.all(flood))).toEqual(new Set([404]))
})

test('five hundred invalid tokens from one IP address do not delay another address', async () => {
  let responseCount = 0
  const requestWithToken = (remoteAddress: string, token: string) =>
    server.http.inject({
      url: '/api/profile',
      remoteAddress,
      headers: { authorization: `Bearer ${token}` },
    })
  const flood = Array.from({ length: 500 }, async (_, index) => {
    await requestWithToken('10.0.0.66', `dead${index}`)
    responseCount += 1
  })
  expect((await requestWithToken('10.0.0.7', 'dead')).statusCode).toBe(401)
  expect(responseCount).toBeLessThan(MAX_EARLIER_RESPONSES)
  await Promise.all(flood)
})

test('responds to two hundred phones that poll from one IP address', async () => {
  const headers = { authorization: `Bearer ${(await server.createSensei()).token}` }
  const paths = ['/api/notifications', '/api/notifications/unread-count']
  const calls = Array.from({ length: 400 }, (_, index) =>
    server.http.inject({ url: paths[index % 2]!, remoteAddress: '10.0.0.9', headers }),
  )
  expect(new Set((await Promise.all(calls)).map(({ statusCode }) => statusCode))).toEqual(
    new Set([200]),
  )
})
