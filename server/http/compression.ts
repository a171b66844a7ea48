import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SerializedReply } from './serialized-reply.ts'

/** Matches "gzip" in an Accept-Encoding header, unless its weight is zero ("gzip;q=0"). */
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

export const acceptsGzip = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  ACCEPTS_GZIP.test(headers['accept-encoding'] ?? '')

/** Returns the reply's body, compressed if the client accepts that. Sets the matching headers. */
export function compressForClient(
  serializedReply: SerializedReply,
  request: FastifyRequest,
  reply: FastifyReply,
): string | Buffer | Promise<Buffer> {
  if (!serializedReply.isCompressible) return serializedReply.body
  void reply.header('vary', 'accept-encoding')
  if (!acceptsGzip(request)) return serializedReply.body
  void reply.header('content-encoding', 'gzip')
  return serializedReply.compressed()
}
