import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDangling, isDuplicate, sqlState } from './database.ts'
import { Refusal } from './refusal.ts'

const NOT_JSON = 'The request body must be JSON'
/** What Fastify refuses before a handler sees it, in our words. */
const BY_FASTIFY: Record<string, Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new Refusal(413, 'The request is too large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Refusal(400, NOT_JSON),
  FST_ERR_CTP_INVALID_JSON_BODY: new Refusal(400, NOT_JSON),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new Refusal(400, 'The request is malformed'),
  FST_ERR_BAD_URL: new Refusal(404, 'Not found'),
}
const UNAVAILABLE = new Refusal(503, 'The service is not available right now. Please try again in a moment.', { retryAfterSeconds: 2 })
const MEANWHILE = new Refusal(409, 'This was changed meanwhile. Please reload and try again.')

/** The one error handler: what was refused says why, what broke says nothing of the inside. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalFor(error)
  if (!refusal) request.log.error({ err: error }, 'broken')
  if (refusal === UNAVAILABLE) request.log.warn({ err: error }, 'database unavailable')
  if (refusal?.retryAfterSeconds) void reply.header('retry-after', refusal.retryAfterSeconds)
  return reply.status(refusal?.status ?? 500).type('application/json; charset=utf-8')
    .send(JSON.stringify({ detail: refusal?.message ?? 'Something went wrong', errors: refusal?.errors }))
}

function refusalFor(error: FastifyError | Error): Refusal | null {
  if (error instanceof Refusal) return error
  if (isUnavailable(error)) return UNAVAILABLE
  if (isDangling(error) || isDuplicate(error)) return MEANWHILE
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  return BY_FASTIFY[code] ?? (statusCode === 400 ? new Refusal(400, NOT_JSON) : null)
}

const DOWN = /^(08|57P0|53)/
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])

/** The database is away, full or refusing connections; a statement that ran out of time (57014) counts, too. */
function isUnavailable(error: Error): boolean {
  const state = sqlState(error)
  const words = (error.cause instanceof Error ? error.cause : error).message
  return DOWN.test(state) || state === '57014' || NETWORK.has(state) || /Connection terminated|timeout exceeded when trying to connect|not queryable/i.test(words)
}
