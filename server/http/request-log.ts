import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

/** A polled call that succeeds is logged only if it takes this long. */
const SLOW_MS = 1000

declare module 'fastify' {
  interface FastifyContextConfig {
    polled?: boolean
    /** True for a call of the API, false for a file of the web app. */
    isCall?: boolean
  }
}

export class RequestLog extends Fastify.LogController {
  readonly #slowMs: number

  constructor(slowMs = SLOW_MS) {
    super()
    this.#slowMs = slowMs
  }

  override incomingRequest() {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const { elapsedTime: responseTime } = reply
    if (error)
      reply.log.error({ req: request, res: reply, err: error, responseTime }, 'request errored')
    else if (!isPolled(reply) || reply.statusCode >= 400 || responseTime >= this.#slowMs)
      reply.log.info({ req: request, res: reply, responseTime }, 'request completed')
  }
}

const isPolled = ({ routeOptions: { config } }: FastifyReply) => config.polled === true

export function logAbortedRequests(http: FastifyInstance): void {
  http.addHook('onRequestAbort', (request, callback) => {
    request.log.info({ req: request }, 'request aborted')
    callback()
  })
}
