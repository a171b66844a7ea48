import { Server, type Socket } from 'node:net'
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Idle connections stay open this long, for requests already on their way. */
const GRACE_MS = 1_000,
  POLL_MS = 100,
  ACCEPT_TIMEOUT_MS = 500

declare module 'fastify' {
  interface FastifyInstance {
    isShuttingDown: () => boolean
    /** Stops accepting and ends connections after their requests, at the latest after `timeoutMs`.
     */
    shutDownGracefully: (timeoutMs: number) => Promise<void>
  }
}

export function registerGracefulShutdown(http: FastifyInstance): void {
  let shuttingDown = false
  const lastOn = new WeakMap<Socket, FastifyRequest>()
  http.addHook('onRequest', (request, _, callback) => {
    lastOn.set(request.raw.socket, request)
    callback()
  })
  http.addHook('onSend', (request, reply, payload, callback) => {
    if (!shuttingDown) return callback(null, payload)
    // This header ends the socket, so only the last pipelined request may carry it.
    setImmediate(() => {
      if (lastOn.get(request.raw.socket) === request) void reply.header('connection', 'close')
      callback(null, payload)
    })
  })
  http.decorate('isShuttingDown', () => shuttingDown)
  http.decorate('shutDownGracefully', async (timeoutMs: number) => {
    const timer = setTimeout(() => http.server.closeAllConnections(), timeoutMs)
    shuttingDown = true
    const closing = closeListener(http.server)
    for (
      let grace = GRACE_MS;
      await Promise.race([closing, sleep(grace, 'not yet')]);
      grace = POLL_MS
    )
      http.server.closeIdleConnections()
    await http.close()
    clearTimeout(timer)
  })
}

/** http.Server's own `close` would destroy idle connections. */
async function closeListener(server: Server): Promise<void> {
  let acceptedCount = 0,
    previousCount = -1
  server.on('connection', () => (acceptedCount += 1))
  // Connections accepted by the kernel but not yet by Node would be reset.
  const deadline = performance.now() + ACCEPT_TIMEOUT_MS
  while (acceptedCount !== previousCount && performance.now() < deadline) {
    previousCount = acceptedCount
    await nextRound()
  }
  await new Promise((resolve) => Server.prototype.close.call(server, resolve))
}
