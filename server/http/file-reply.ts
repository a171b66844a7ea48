import type { Readable } from 'node:stream'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import type { FastifyReply } from 'fastify'

/** A file as it is handed out: its name, of ASCII letters, digits, dots and hyphens, and what it holds, streamed. */
export type FileReply = { name: string; body: Readable }

/** Sends a file to be saved. Once it has begun, a failure can only break the connection off: a browser then says that the download failed. */
export const sendFile = (reply: FastifyReply, { file }: Endpoint, { name, body }: FileReply) =>
  reply
    .header('cache-control', 'no-store')
    .header('content-type', file!)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(body)
