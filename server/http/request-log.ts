import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

/** From here on a request counts as slow. */
const SLOW_MS = 1000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked by every open page every few seconds. */
    polled?: boolean
    /** A call of the API, not a document or file. */
    isCall?: boolean
  }
}

/** One line for each request, once it is answered; none for a polled call that went well and fast, which would be most of the log. */
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

/** Nothing completes a request whose caller has hung up. */
export function logAbortedRequests(http: FastifyInstance): void {
  http.addHook('onRequestAbort', (request, callback) => {
    request.log.info({ req: request }, 'request aborted')
    callback()
  })
}
