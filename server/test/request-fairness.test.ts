import { expect, test } from 'vitest'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
/** The other address must get its response before the first one has got more than this many. */
const MAX_EARLIER_RESPONSES = 200
const sendFrom = (remoteAddress: string) =>
  server.http.inject({ url: '/api/there-is-nothing', remoteAddress })

test('a thousand requests from one IP address do not delay another address', async () => {
  let responseCount = 0
  const flood = Array.from({ length: 1000 }, async () => {
    const { statusCode } = await sendFrom('10.0.0.66')
    responseCount += 1
    return statusCode
  })
  expect((await sendFrom('10.0.0.7')).statusCode).toBe(404)
  expect(responseCount).toBeLessThan(MAX_EARLIER_RESPONSES)
  expect(new Set(await Promise.all(flood))).toEqual(new Set([404]))
})

test('five hundred invalid tokens from one IP address do not delay another address', async () => {
  let responseCount = 0
  const sendToken = (remoteAddress: string, token: string) =>
    server.http.inject({
      url: '/api/profile',
      remoteAddress,
      headers: { authorization: `Bearer ${token}` },
    })
  const flood = Array.from({ length: 500 }, async (_, index) => {
    await sendToken('10.0.0.66', `dead${index}`)
    responseCount += 1
  })
  expect((await sendToken('10.0.0.7', 'dead')).statusCode).toBe(401)
  expect(responseCount).toBeLessThan(MAX_EARLIER_RESPONSES)
  await Promise.all(flood)
})

test('allows two hundred phones to poll from one IP address', async () => {
  const headers = { authorization: `Bearer ${(await server.createSensei()).token}` }
  const paths = ['/api/notifications', '/api/notifications/unread-count']
  const calls = Array.from({ length: 400 }, (_, index) =>
    server.http.inject({ url: paths[index % 2]!, remoteAddress: '10.0.0.9', headers }),
  )
  expect(new Set((await Promise.all(calls)).map(({ statusCode }) => statusCode))).toEqual(
    new Set([200]),
  )
})
