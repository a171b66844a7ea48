import type { FastifyRequest } from 'fastify'
import { driverError, sqlState } from '../db/database-errors.ts'

/** The route, such as /api/students/:id. A path could contain phones, invitations and ids. */
const routeOf = ({ is404, routeOptions: { url } }: FastifyRequest) =>
  is404 || url === undefined ? '(no route)' : url

const EMAIL = /[^\s<>"'(),:;]+@[^\s<>"'(),:;]+\.[^\s<>"'(),:;]+/g
/** Matches "+1 512 555 0142", "(512) 555-0142" and "5125550142", but no IP addresses or ports. */
const PHONE = /(?:\+|%2B)\d[\d\s()-]{6,}\d|\(?\b\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}\b/gi
const QUOTED_TEXT = /"[^"]*"/g
/** PostgreSQL quotes the invalid value in errors of this class. */
const DATA_EXCEPTION_CLASS = '22'

/** Removes personal data, which mail servers, text providers and the database quote in errors. */
function withoutPersonalData(message: string, state: string): string {
  const text = message.replaceAll(EMAIL, '…').replaceAll(PHONE, '…')
  return state.startsWith(DATA_EXCEPTION_CLASS) ? text.replaceAll(QUOTED_TEXT, '…') : text
}

/** Never log headers, queries, paths or statement parameters, because they contain tokens, phones,
 *  names, emails and password hashes. */
export const serializers = {
  req: (request: FastifyRequest) => ({
    id: request.id,
    method: request.method,
    path: routeOf(request),
    ip: request.ip,
  }),
  err: (error: Error & { query?: string }) => ({
    type: error.name,
    message: withoutPersonalData(driverError(error).message ?? '', sqlState(error)),
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
