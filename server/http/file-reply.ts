import type { Readable } from 'node:stream'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import type { FastifyReply } from 'fastify'

/** The name has only ASCII letters, digits, dots and hyphens. */
export type FileReply = { name: string; body: Readable }

/** A later failure can only break the connection, which browsers report as a failed download. */
export const sendFile = (reply: FastifyReply, { file }: Endpoint, { name, body }: FileReply) =>
  reply
    .header('cache-control', 'no-store')
    .header('content-type', file!)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(body)
