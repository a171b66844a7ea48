import type { FastifyRequest } from 'fastify'
import { driverError, sqlState } from '../db/database-errors.ts'

/** Returns the route, such as /api/students/:id, because a path may contain phones and secrets. */
const getRoute = ({ is404, routeOptions: { url } }: FastifyRequest) =>
  is404 || url === undefined ? '(no route)' : url

const EMAIL_PATTERN = /[^\s<>"'(),:;]+@[^\s<>"'(),:;]+\.[^\s<>"'(),:;]+/g
/** Matches "+1 512 555 0142", "(512) 555-0142" and "5125550142", but no IP addresses or ports. */
const PHONE_PATTERN = /(?:\+|%2B)\d[\d\s()-]{6,}\d|\(?\b\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}\b/gi
const QUOTED_TEXT_PATTERN = /"[^"]*"/g
/** In errors of this class, PostgreSQL quotes the invalid value. */
const DATA_EXCEPTION_CLASS = '22'

/** Mail servers, text providers and the database quote personal data in their errors. */
function removePersonalData(message: string, state: string): string {
  const text = message.replaceAll(EMAIL_PATTERN, '…').replaceAll(PHONE_PATTERN, '…')
  return state.startsWith(DATA_EXCEPTION_CLASS) ? text.replaceAll(QUOTED_TEXT_PATTERN, '…') : text
}

/** Never log headers, queries, paths or statement parameters, because they contain tokens, phones,
 *  names, emails and password hashes. */
export const serializers = {
  req: (request: FastifyRequest) => ({
    id: request.id,
    method: request.method,
    path: getRoute(request),
    ip: request.ip,
  }),
  err: (error: Error & { query?: string }) => ({
    type: error.name,
    message: removePersonalData(driverError(error).message ?? '', sqlState(error)),
    code: sqlState(error),
    query: error.query,
    // The first lines of a stack repeat the message and the parameters, so only calls are kept.
    stack:
      error.stack
        ?.split('\n')
        .filter((line) => /^\s+at /.test(line))
        .join('\n') ?? '',
  }),
}
