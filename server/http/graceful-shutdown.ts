import { Server, type Socket } from 'node:net'
import { setImmediate as nextEventLoopRound, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Idle connections stay open this long, because a client may just have sent a request. */
const GRACE_MS = 1_000
const POLL_MS = 100
const ACCEPT_TIMEOUT_MS = 500

declare module 'fastify' {
  interface FastifyInstance {
    isShuttingDown: () => boolean
    /** Closes each connection after its last response, at the latest after `timeoutMs`. */
    shutDownGracefully: (timeoutMs: number) => Promise<void>
  }
}

export function registerGracefulShutdown(http: FastifyInstance): void {
  let isShuttingDown = false
  const lastRequestBySocket = new WeakMap<Socket, FastifyRequest>()
  http.addHook('onRequest', (request, _, callback) => {
    lastRequestBySocket.set(request.raw.socket, request)
    callback()
  })
  http.addHook('onSend', (request, reply, payload, callback) => {
    if (!isShuttingDown) return callback(null, payload)
    // This header ends the connection, so only the response to the last pipelined request has it.
    setImmediate(() => {
      const isLast = lastRequestBySocket.get(request.raw.socket) === request
      if (isLast) void reply.header('connection', 'close')
      callback(null, payload)
    })
  })
  http.decorate('isShuttingDown', () => isShuttingDown)
  http.decorate('shutDownGracefully', async (timeoutMs: number) => {
    const timer = setTimeout(() => http.server.closeAllConnections(), timeoutMs)
    isShuttingDown = true
    const hasOpenConnections = stopListening(http.server)
    let isOpen = await Promise.race([hasOpenConnections, sleep(GRACE_MS, true)])
    while (isOpen) {
      http.server.closeIdleConnections()
      isOpen = await Promise.race([hasOpenConnections, sleep(POLL_MS, true)])
    }
    await http.close()
    clearTimeout(timer)
  })
}

/** Resolves with false once no connection is open. Calls `close` of `net.Server`, because `close`
 *  of `http.Server` would destroy idle connections. */
async function stopListening(server: Server): Promise<false> {
  let acceptedCount = 0
  let previousCount = -1
  server.on('connection', () => (acceptedCount += 1))
  // Waits until Node has accepted all connections that the kernel has accepted. Otherwise, they
  // would be reset.
  const deadline = performance.now() + ACCEPT_TIMEOUT_MS
  while (acceptedCount !== previousCount && performance.now() < deadline) {
    previousCount = acceptedCount
    await nextEventLoopRound()
  }
  await new Promise((resolve) => Server.prototype.close.call(server, resolve))
  return false
}
