import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { createClients, startTestServer, TEST_SETTINGS } from '../test/test-server.ts'
import { logAbortedRequests, RequestLog } from './request-log.ts'

type LogEntry = {
  level: number
  msg: string
  req?: { method: string; path: string }
  res?: { statusCode: number }
  responseTime?: number
}
const logEntries: LogEntry[] = []
const logTo = { write: (line: string) => void logEntries.push(JSON.parse(line) as LogEntry) }
afterEach(() => void (logEntries.length = 0))

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
const listLoggedRequests = () =>
  logEntries.map(({ req, res, msg }) => [req?.method, req?.path, res?.statusCode, msg])

test('does not log a polled call that succeeds quickly', async () => {
  expect((await get('/notifications/unread-count')).status).toBe(200)
  const { headers } = await get('/notifications')
  const unchangedReply = await http.inject({
    url: '/api/notifications',
    headers: { authorization: `Bearer ${sensei.token}`, 'if-none-match': String(headers.etag) },
  })
  expect(unchangedReply.statusCode).toBe(304)
  expect(logEntries).toEqual([])
})

test('logs a polled call that is refused', async () => {
  await anonymous.get('/notifications/unread-count')
  expect(listLoggedRequests()).toEqual([
    ['GET', '/api/notifications/unread-count', 401, 'request completed'],
  ])
})

test('logs all other calls with their route, but without their query', async () => {
  await get('/students?secret=x')
  await anonymous.get('/nowhere')
  expect(listLoggedRequests()).toEqual([
    ['GET', '/api/students', 200, 'request completed'],
    ['GET', '(no route)', 404, 'request completed'],
  ])
  expect(logEntries[0]!.responseTime).toBeGreaterThan(0)
})

test.each([
  [0, 1],
  [60_000, 0],
])('with a slow limit of %i ms, logs a polled call %i times', async (slowMs, logCount) => {
  const app = Fastify({ logger: { stream: logTo }, logController: new RequestLog(slowMs) })
  app.get('/polled', { config: { polled: true } }, async () => ({}))
  await app.inject('/polled')
  expect(logEntries.map(({ msg }) => msg)).toEqual(Array(logCount).fill('request completed'))
})

test('does not mistake an aborted upload for a database failure', async () => {
  await http.listen({ port: 0, host: '127.0.0.1' })
  logEntries.length = 0
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1')
  const requestLines = [
    'POST /api/classes HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${sensei.token}`,
    'Content-Type: application/json',
    'Content-Length: 500',
    'Expect: 100-continue',
  ]
  socket.write(`${requestLines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.end('{"class_name":')
  await expect.poll(() => logEntries.map(({ msg }) => msg)).toEqual(['request aborted'])
})

test('logs a call whose client disconnects', async () => {
  const app = Fastify({ logger: { stream: logTo }, logController: new RequestLog() })
  logAbortedRequests(app)
  const requestArrival = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    requestArrival.resolve()
    await new Promise(() => {})
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  logEntries.length = 0
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await requestArrival.promise
  socket.destroy()
  await expect.poll(() => logEntries.map(({ msg }) => msg)).toEqual(['request aborted'])
  await app.close()
})
