import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const MIN_BYTES = 1000
const gzipAsync = promisify(gzip)
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** A cached response is compressed once. */
const compressed = new WeakMap<object, Promise<Buffer>>()

/** The body as it is sent: gzipped when it is long and the caller accepts that. */
export async function compress(answer: object, body: string, { headers }: FastifyRequest, reply: FastifyReply): Promise<string | Buffer> {
  if (body.length < MIN_BYTES) return body
  void reply.header('vary', 'accept-encoding')
  if (!ACCEPTS_GZIP.test(headers['accept-encoding'] ?? '')) return body
  void reply.header('content-encoding', 'gzip')
  const compressing = compressed.get(answer) ?? gzipAsync(body, { level: constants.Z_BEST_SPEED + 2 })
  compressed.set(answer, compressing)
  return compressing
}
