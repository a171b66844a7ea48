import type { FastifyRequest } from 'fastify'
import { driverError, sqlState } from '../db/database-errors.ts'

const pathOf = (url: string) => url.split('?', 1)[0]?.replace(/^\/(join|calendar)\/.*/, '/$1/…')

/** Mail servers repeat the address that they refuse. */
const withoutAddresses = (text: string) =>
  text.replaceAll(/[^\s<>"'(),:;]+@[^\s<>"'(),:;]+\.[^\s<>"'(),:;]+/g, '…')

/** What the log says of a request and of a failure. Values stay out of it: headers, queries, invitations and calendar addresses carry tokens, the
 *  parameters of a failed statement names, e-mails and hashes of passwords. */
export const serializers = {
  req: ({ id, method, url, ip }: FastifyRequest) => ({ id, method, path: pathOf(url), ip }),
  err: (error: Error & { query?: string }) => ({
    type: error.name,
    message: withoutAddresses(driverError(error).message ?? ''),
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
