import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const WORTH_IT_BYTES = 1000
const pack = promisify(gzip)
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** Answers that are kept in memory are packed once. */
const packed = new WeakMap<object, Promise<Buffer>>()

/** The body as it goes out: packed when it is long and the caller takes that. */
export async function compress(answer: object, body: string, { headers }: FastifyRequest, reply: FastifyReply): Promise<string | Buffer> {
  if (body.length < WORTH_IT_BYTES) return body
  void reply.header('vary', 'accept-encoding')
  if (!TAKES_GZIP.test(headers['accept-encoding'] ?? '')) return body
  void reply.header('content-encoding', 'gzip')
  const packing = packed.get(answer) ?? pack(body, { level: constants.Z_BEST_SPEED + 2 })
  packed.set(answer, packing)
  return packing
}
