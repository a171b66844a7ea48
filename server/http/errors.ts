import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  isForeignKeyViolation,
  isUniqueViolation,
  isUnavailable,
  violatesPolicy,
} from '../db/database-errors.ts'
import { Refusal } from '../lib/refusal.ts'

const NOT_JSON = 'The request body must be JSON'
const MALFORMED_REQUEST = 'The request is malformed'
/** Our responses, by the code of Fastify's error. */
const FASTIFY_ERRORS: Record<string, Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new Refusal(413, 'The request is too large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Refusal(400, NOT_JSON),
  FST_ERR_CTP_INVALID_JSON_BODY: new Refusal(400, NOT_JSON),
  FST_ERR_BAD_URL: new Refusal(404, 'Not found'),
}
const UNAVAILABLE = new Refusal(
  503,
  'The service is not available right now. Please try again in a moment.',
  { retryAfterSeconds: 2 },
)
const CONFLICT = new Refusal(409, 'This was changed in the meantime. Please reload and try again.')

const NOT_YOUR_CLASS = new Refusal(404, 'This is not one of your classes.')

/** Node's message if a client disconnects. The code is ECONNRESET, as for a lost database. */
const CLIENT_ABORTED = 'aborted'
const ABORTED_BODY = new Refusal(400, MALFORMED_REQUEST)

/** A refusal tells the client the reason. Any other error is a bug, and the reply hides it. */
export function handleError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const refusal = beginErrorReply(error, request, reply)
  return reply.type('application/json; charset=utf-8').send(
    JSON.stringify({
      detail: refusal?.message ?? 'Something went wrong',
      errors: refusal?.errors,
      reason: refusal?.reason,
    }),
  )
}

/** Sets the status, and logs what is not the client's fault. Returns null for a bug. */
export function beginErrorReply(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | null {
  const refusal = toRefusal(error) ?? findOtherClassRefusal(error, request)
  if (!refusal) request.log.error({ err: error }, 'request failed')
  if (refusal === UNAVAILABLE) request.log.warn({ err: error }, 'database unavailable')
  if (refusal?.retryAfterSeconds) void reply.header('retry-after', refusal.retryAfterSeconds)
  void reply.status(refusal?.status ?? 500)
  return refusal
}

function toRefusal(error: FastifyError | Error): Refusal | null {
  if (error instanceof Refusal) return error
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  if (code === 'ECONNRESET' && error.message === CLIENT_ABORTED) return ABORTED_BODY
  if (isUnavailable(error)) return UNAVAILABLE
  if (isForeignKeyViolation(error) || isUniqueViolation(error)) return CONFLICT
  const detail = code.startsWith('FST_') ? MALFORMED_REQUEST : NOT_JSON
  return FASTIFY_ERRORS[code] ?? (statusCode < 500 ? new Refusal(400, detail) : null)
}

/** Staff who see only their own classes may have tried to change another class or day. For
 *  everybody else, such an error is a bug. */
function findOtherClassRefusal(error: Error, { caller }: FastifyRequest): Refusal | null {
  const isLimited = caller !== null && 'staff' in caller && caller.staff?.classIds != null
  return isLimited && violatesPolicy(error) ? NOT_YOUR_CLASS : null
}

/** Responds to a request that Node cannot parse. Such a request never reaches Fastify. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  const [status, detail] = CLIENT_ERRORS[error.code ?? ''] ?? ['400 Bad Request', MALFORMED_REQUEST]
  const body = JSON.stringify({ detail })
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status}\r\n` +
        'Content-Type: application/json; charset=utf-8\r\n' +
        `Content-Length: ${body.length}\r\n` +
        `Connection: close\r\n\r\n${body}`,
    )
  socket.destroy()
}

const CLIENT_ERRORS: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
}
