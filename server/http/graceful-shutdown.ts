import { Server, type Socket } from 'node:net'
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Idle connections are kept this long, so that a request already on its way meets an answer and not a closed door. */
const GRACE_MS = 1_000,
  LOOK_AGAIN_MS = 100,
  ACCEPT_AT_MOST_MS = 500

declare module 'fastify' {
  interface FastifyInstance {
    isShuttingDown: () => boolean
    /** Takes no new connections and ends the others without cutting off a request, unless one is still not done after `withinMs`. */
    shutDownGracefully: (withinMs: number) => Promise<void>
  }
}

export function registerGracefulShutdown(http: FastifyInstance): void {
  let shuttingDown = false
  const lastOn = new WeakMap<Socket, FastifyRequest>()
  http.addHook('onRequest', (request, _, done) => {
    lastOn.set(request.raw.socket, request)
    done()
  })
  http.addHook('onSend', async (request, reply) => {
    if (!shuttingDown) return
    // The socket ends with the answer that says so: that is the last of the requests that came in one go, once all of them are read.
    await nextRound()
    if (lastOn.get(request.raw.socket) === request) void reply.header('connection', 'close')
  })
  http.decorate('isShuttingDown', () => shuttingDown)
  http.decorate('shutDownGracefully', async (withinMs: number) => {
    const late = setTimeout(() => http.server.closeAllConnections(), withinMs)
    shuttingDown = true
    const ended = closeListener(http.server)
    for (let grace = GRACE_MS; await Promise.race([ended, sleep(grace, 'not yet')]); grace = LOOK_AGAIN_MS)
      http.server.closeIdleConnections()
    await http.close()
    clearTimeout(late)
  })
}

/** Gives back the end of the last connection, as nothing in a list: http.Server's own `close` would destroy the idle ones. */
async function closeListener(server: Server): Promise<void> {
  let accepted = 0,
    before = -1
  server.on('connection', () => (accepted += 1))
  // The system has let in whoever waits to be accepted: they would be reset.
  const until = performance.now() + ACCEPT_AT_MOST_MS
  while (accepted !== before && performance.now() < until) {
    before = accepted
    await nextRound()
  }
  await new Promise((resolve) => Server.prototype.close.call(server, resolve))
}
