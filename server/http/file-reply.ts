import type { Readable } from 'node:stream'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import type { FastifyReply } from 'fastify'
import { mustExist } from '@tatami/contract/lib/must-exist'

/** The name has only ASCII letters, digits, dots and hyphens. */
export type FileReply = { name: string; body: Readable }

/** An error while sending breaks the connection, so that browsers report a failed download. */
export const sendFile = (reply: FastifyReply, { file }: Endpoint, { name, body }: FileReply) =>
  reply
    .header('cache-control', 'no-store')
    .header('content-type', mustExist(file, 'The media type'))
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(body)
