import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { createClients, startTestServer, TEST_SETTINGS } from '../test/test-server.ts'
import { logAbortedRequests, RequestLog } from './request-log.ts'

type Line = {
  level: number
  msg: string
  req?: { method: string; path: string }
  res?: { statusCode: number }
  responseTime?: number
}
const lines: Line[] = []
const logTo = { write: (line: string) => void lines.push(JSON.parse(line) as Line) }
afterEach(() => void (lines.length = 0))

const server = await startTestServer()
const http = await buildApp({
  db: server.db,
  pubsub: server.pubsub,
  env: { ...TEST_SETTINGS, logLevel: 'info' },
  logTo,
})
const sensei = await server.createSensei()
const { clientFor, anonymous } = createClients(http)
const { get } = clientFor(sensei.token)
const loggedRequests = () =>
  lines.map(({ req, res, msg }) => [req?.method, req?.path, res?.statusCode, msg])

test('a polled call that goes well and fast leaves no line', async () => {
  expect((await get('/notifications/unread-count')).status).toBe(200)
  const { headers } = await get('/notifications')
  const unchangedReply = await http.inject({
    url: '/api/notifications',
    headers: { authorization: `Bearer ${sensei.token}`, 'if-none-match': String(headers.etag) },
  })
  expect(unchangedReply.statusCode).toBe(304)
  expect(lines).toEqual([])
})

test('one that is refused leaves one line', async () => {
  await anonymous.get('/notifications/unread-count')
  expect(loggedRequests()).toEqual([
    ['GET', '/api/notifications/unread-count', 401, 'request completed'],
  ])
})

test('any other call leaves one line, with its route and without its query', async () => {
  await get('/students?secret=x')
  await anonymous.get('/nowhere')
  expect(loggedRequests()).toEqual([
    ['GET', '/api/students', 200, 'request completed'],
    ['GET', '(no route)', 404, 'request completed'],
  ])
  expect(lines[0]!.responseTime).toBeGreaterThan(0)
})

test.each([
  [0, 1],
  [60_000, 0],
])('a polled call counts as slow after %i ms, and leaves %i lines', async (slowMs, count) => {
  const app = Fastify({ logger: { stream: logTo }, logController: new RequestLog(slowMs) })
  app.get('/polled', { config: { polled: true } }, async () => ({}))
  await app.inject('/polled')
  expect(lines.map(({ msg }) => msg)).toEqual(Array(count).fill('request completed'))
})

test('a connection that is cut while a body is sent is no failure of the database', async () => {
  await http.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1')
  const head = [
    'POST /api/classes HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${sensei.token}`,
    'Content-Type: application/json',
    'Content-Length: 500',
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.end('{"class_name":')
  await expect.poll(() => lines.map(({ msg }) => msg)).toEqual(['request aborted'])
})

test('a call whose caller hangs up leaves one line', async () => {
  const app = Fastify({ logger: { stream: logTo }, logController: new RequestLog() })
  logAbortedRequests(app)
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    arrive()
    await new Promise(() => {})
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await arrival
  socket.destroy()
  await expect.poll(() => lines.map(({ msg }) => msg)).toEqual(['request aborted'])
  await app.close()
})
