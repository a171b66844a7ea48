import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { registerGracefulShutdown } from './graceful-shutdown.ts'

const DRAINS_WITHIN_MS = 30_000
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function aServer() {
  const http = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  registerGracefulShutdown(http)
  const slow = Promise.withResolvers<void>()
  http.get('/quick', () => 'quick')
  http.get('/slow', async () => {
    await slow.promise
    return 'slow'
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  ends.push(() => http.close())
  return { http, port: (http.server.address() as AddressInfo).port, release: slow.resolve }
}

async function aConnection(port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  const errors: string[] = []
  let heard = ''
  socket
    .on('data', (words: string) => (heard += words))
    .on('error', ({ message }) => void errors.push(message))
  const closing = once(socket, 'close')
  await once(socket, 'connect')
  return {
    get: (...paths: string[]) =>
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')),
    answers: () => [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    announcements: () => heard.match(/connection: close/gi)?.length ?? 0,
    hears: async (words: string) =>
      await expect.poll(() => heard, { timeout: 5_000 }).toContain(words),
    ended: closing,
    errors,
  }
}

test('a request on an idle connection is answered while draining, and told that the connection ends', async () => {
  const { http, port } = await aServer()
  const idle = await aConnection(port)
  idle.get('/quick')
  await idle.hears('quick')
  expect(idle.announcements()).toBe(0)
  const shutdown = http.shutDownGracefully(DRAINS_WITHIN_MS)
  idle.get('/quick')
  await idle.ended
  expect([idle.answers(), idle.announcements(), idle.errors]).toEqual([['200', '200'], 1, []])
  await shutdown
})

test('requests that came in one go are all answered, and the last says that the connection ends', async () => {
  const { http, port, release } = await aServer()
  const pipelining = await aConnection(port)
  const shutdown = http.shutDownGracefully(DRAINS_WITHIN_MS)
  pipelining.get('/slow', '/quick', '/quick')
  await once(http.server, 'request')
  release()
  await pipelining.ended
  expect([pipelining.answers(), pipelining.announcements(), pipelining.errors]).toEqual([
    ['200', '200', '200'],
    1,
    [],
  ])
  await shutdown
})

test('a request in flight is waited for while new connections are refused, and no longer than was said', async () => {
  const { http, port, release } = await aServer()
  const [waitedFor, second] = [await aConnection(port), await aServer()]
  waitedFor.get('/slow')
  await once(http.server, 'request')
  const shutdown = http.shutDownGracefully(DRAINS_WITHIN_MS)
  await expect.poll(() => http.server.listening).toBe(false)
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  release()
  await waitedFor.ended
  expect(waitedFor.answers()).toEqual(['200'])
  await shutdown

  const stuck = await aConnection(second.port)
  stuck.get('/slow')
  await once(second.http.server, 'request')
  await second.http.shutDownGracefully(10)
  await stuck.ended
  expect(stuck.answers()).toEqual([])
})

test('without a connection it is over at once', async () => {
  const { http } = await aServer()
  await http.shutDownGracefully(DRAINS_WITHIN_MS)
  expect(http.isShuttingDown()).toBe(true)
})
