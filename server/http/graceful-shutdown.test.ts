import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { registerGracefulShutdown } from './graceful-shutdown.ts'

const SHUTDOWN_TIMEOUT_MS = 30_000
const closeActions: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closeActions.splice(0)) await close()
})

async function startServer() {
  const http = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  registerGracefulShutdown(http)
  const slowWork = Promise.withResolvers<void>()
  http.get('/quick', () => 'quick')
  http.get('/slow', async () => {
    await slowWork.promise
    return 'slow'
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  closeActions.push(() => http.close())
  const { port } = http.server.address() as AddressInfo
  return { http, port, finishSlowRequest: slowWork.resolve }
}

async function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  const errors: string[] = []
  let response = ''
  socket
    .on('data', (text: string) => (response += text))
    .on('error', ({ message }) => void errors.push(message))
  const closing = once(socket, 'close')
  await once(socket, 'connect')
  return {
    sendRequests: (...paths: string[]) =>
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')),
    listStatuses: () => [...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    countCloseHeaders: () => response.match(/connection: close/gi)?.length ?? 0,
    waitFor: async (text: string) =>
      await expect.poll(() => response, { timeout: 5_000 }).toContain(text),
    closed: closing,
    errors,
  }
}

test('responds to a request on an idle connection and announces the close', async () => {
  const { http, port } = await startServer()
  const idleConnection = await openConnection(port)
  idleConnection.sendRequests('/quick')
  await idleConnection.waitFor('quick')
  expect(idleConnection.countCloseHeaders()).toBe(0)
  const shutdown = http.shutDownGracefully(SHUTDOWN_TIMEOUT_MS)
  idleConnection.sendRequests('/quick')
  await idleConnection.closed
  expect([
    idleConnection.listStatuses(),
    idleConnection.countCloseHeaders(),
    idleConnection.errors,
  ]).toEqual([['200', '200'], 1, []])
  await shutdown
})

test('responds to all pipelined requests and closes after the last', async () => {
  const { http, port, finishSlowRequest } = await startServer()
  const pipeliningConnection = await openConnection(port)
  const shutdown = http.shutDownGracefully(SHUTDOWN_TIMEOUT_MS)
  pipeliningConnection.sendRequests('/slow', '/quick', '/quick')
  await once(http.server, 'request')
  finishSlowRequest()
  await pipeliningConnection.closed
  expect([
    pipeliningConnection.listStatuses(),
    pipeliningConnection.countCloseHeaders(),
    pipeliningConnection.errors,
  ]).toEqual([['200', '200', '200'], 1, []])
  await shutdown
})

test('waits for running requests and accepts no new connections', async () => {
  const { http, port, finishSlowRequest } = await startServer()
  const waitingConnection = await openConnection(port)
  waitingConnection.sendRequests('/slow')
  await once(http.server, 'request')
  const shutdown = http.shutDownGracefully(SHUTDOWN_TIMEOUT_MS)
  await expect.poll(() => http.server.listening).toBe(false)
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  finishSlowRequest()
  await waitingConnection.closed
  expect(waitingConnection.listStatuses()).toEqual(['200'])
  await shutdown
})

test('closes a connection whose request is still running after the timeout', async () => {
  const { http, port } = await startServer()
  const stuckConnection = await openConnection(port)
  stuckConnection.sendRequests('/slow')
  await once(http.server, 'request')
  await http.shutDownGracefully(10)
  await stuckConnection.closed
  expect(stuckConnection.listStatuses()).toEqual([])
})

test('ends immediately if there are no connections', async () => {
  const { http } = await startServer()
  await http.shutDownGracefully(SHUTDOWN_TIMEOUT_MS)
  expect(http.isShuttingDown()).toBe(true)
})
