import type { FastifyRequest } from 'fastify'
import { driverError, sqlState } from '../db/database-errors.ts'

/** The route's template, without phones, invitations or ids. */
const routeOf = ({ is404, routeOptions: { url } }: FastifyRequest) =>
  is404 || url === undefined ? '(no route)' : url

const EMAIL = /[^\s<>"'(),:;]+@[^\s<>"'(),:;]+\.[^\s<>"'(),:;]+/g
/** "+1 512 555 0142", "(512) 555-0142", "5125550142"; not IP addresses or ports. */
const PHONE = /(?:\+|%2B)\d[\d\s()-]{6,}\d|\(?\b\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}\b/gi
/** Errors of the class "data exception" quote the value. */
const QUOTED_TEXT = /"[^"]*"/g

/** Mail servers quote addresses, text services phones, and the database values. */
function withoutValues(text: string, state: string | undefined): string {
  const withoutPeople = text.replaceAll(EMAIL, '…').replaceAll(PHONE, '…')
  return state?.startsWith('22') ? withoutPeople.replaceAll(QUOTED_TEXT, '…') : withoutPeople
}

/** Keeps values out of the log: headers, queries and paths contain tokens and phones; statement
 *  parameters contain names, emails and password hashes. */
export const serializers = {
  req: (request: FastifyRequest) => ({
    id: request.id,
    method: request.method,
    path: routeOf(request),
    ip: request.ip,
  }),
  err: (error: Error & { query?: string }) => ({
    type: error.name,
    message: withoutValues(driverError(error).message ?? '', sqlState(error)),
    code: sqlState(error),
    query: error.query,
    // Drops the first lines, which repeat the message and the parameters.
    stack:
      error.stack
        ?.split('\n')
        .filter((line) => /^\s+at /.test(line))
        .join('\n') ?? '',
  }),
}
