import type { FastifyRequest } from 'fastify'
import { driverError, sqlState } from '../db/database-errors.ts'

/** The path as the routes have it, without what people put into it: phones, invitations, ids. Of a path that is none nothing is known. */
const routeOf = ({ is404, routeOptions: { url } }: FastifyRequest) =>
  is404 || url === undefined ? '(no route)' : url

const EMAIL = /[^\s<>"'(),:;]+@[^\s<>"'(),:;]+\.[^\s<>"'(),:;]+/g
/** "+1 512 555 0142", "(512) 555-0142", "5125550142"; not an IP address, nor a port. */
const PHONE = /(?:\+|%2B)\d[\d\s()-]{6,}\d|\(?\b\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}\b/gi
/** Errors of the class "data exception" repeat the value that the database could not read. */
const QUOTED_TEXT = /"[^"]*"/g

/** Mail servers repeat the address that they refuse, text services the phone, and the database a value. */
function withoutValues(text: string, state: string | undefined): string {
  const withoutPeople = text.replaceAll(EMAIL, '…').replaceAll(PHONE, '…')
  return state?.startsWith('22') ? withoutPeople.replaceAll(QUOTED_TEXT, '…') : withoutPeople
}

/** What the log says of a request and of a failure. Values stay out of it: headers, queries and paths carry tokens and phones, the
 *  parameters of a failed statement names, e-mails and hashes of passwords. */
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
    // Without its first lines, which repeat the message and with it the parameters.
    stack:
      error.stack
        ?.split('\n')
        .filter((line) => /^\s+at /.test(line))
        .join('\n') ?? '',
  }),
}
