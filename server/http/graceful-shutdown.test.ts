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
  return { http, port: (http.server.address() as AddressInfo).port, release: slowWork.resolve }
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
    get: (...paths: string[]) =>
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')),
    listStatuses: () => [...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    countCloseHeaders: () => response.match(/connection: close/gi)?.length ?? 0,
    waitFor: async (text: string) =>
      await expect.poll(() => response, { timeout: 5_000 }).toContain(text),
    ended: closing,
    errors,
  }
}

test('responds to a request on an idle connection and announces the close', async () => {
  const { http, port } = await startServer()
  const idleConnection = await openConnection(port)
  idleConnection.get('/quick')
  await idleConnection.waitFor('quick')
  expect(idleConnection.countCloseHeaders()).toBe(0)
  const shutdown = http.shutDownGracefully(SHUTDOWN_TIMEOUT_MS)
  idleConnection.get('/quick')
  await idleConnection.ended
  expect([
    idleConnection.listStatuses(),
    idleConnection.countCloseHeaders(),
    idleConnection.errors,
  ]).toEqual([['200', '200'], 1, []])
  await shutdown
})

test('responds to all pipelined requests and closes after the last', async () => {
  const { http, port, release } = await startServer()
  const pipeliningConnection = await openConnection(port)
  const shutdown = http.shutDownGracefully(SHUTDOWN_TIMEOUT_MS)
  pipeliningConnection.get('/slow', '/quick', '/quick')
  await once(http.server, 'request')
  release()
  await pipeliningConnection.ended
  expect([
    pipeliningConnection.listStatuses(),
    pipeliningConnection.countCloseHeaders(),
    pipeliningConnection.errors,
  ]).toEqual([['200', '200', '200'], 1, []])
  await shutdown
})

test('waits for running requests, but no longer than the timeout', async () => {
  const { http, port, release } = await startServer()
  const [waitingConnection, secondServer] = [await openConnection(port), await startServer()]
  waitingConnection.get('/slow')
  await once(http.server, 'request')
  const shutdown = http.shutDownGracefully(SHUTDOWN_TIMEOUT_MS)
  await expect.poll(() => http.server.listening).toBe(false)
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  release()
  await waitingConnection.ended
  expect(waitingConnection.listStatuses()).toEqual(['200'])
  await shutdown

  const stuckConnection = await openConnection(secondServer.port)
  stuckConnection.get('/slow')
  await once(secondServer.http.server, 'request')
  await secondServer.http.shutDownGracefully(10)
  await stuckConnection.ended
  expect(stuckConnection.listStatuses()).toEqual([])
})

test('ends immediately if there are no connections', async () => {
  const { http } = await startServer()
  await http.shutDownGracefully(SHUTDOWN_TIMEOUT_MS)
  expect(http.isShuttingDown()).toBe(true)
})
