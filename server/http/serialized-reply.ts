import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Endpoint, Reply } from '@tatami/contract/lib/endpoint'
import { compileReplyFilter } from './reply-filter.ts'

const MIN_BYTES_TO_COMPRESS = 1000
/** Short strings are sent fastest together with the headers; long ones are encoded once, to a
 *  buffer. */
const MIN_BYTES_OF_BUFFER = 4096
const OVERHEAD_BYTES = 500
const BYTES_PER_CHARACTER = 2
const gzipAsync = promisify(gzip)
const copyOf = (bytes: Buffer) => {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** Cached replies are serialised, tagged and compressed once. */
export class SerializedReply<R = unknown> {
  declare readonly reply?: R
  readonly body: string | Buffer
  readonly isCompressible: boolean
  #etag: string | undefined
  #compressed: Promise<Buffer> | undefined

  constructor(endpoint: Endpoint, json: string | Buffer) {
    this.body =
      typeof json === 'string' && json.length >= MIN_BYTES_OF_BUFFER ? Buffer.from(json) : json
    // A compressed length would reveal a token (decision 15). Polled replies are short and have an
    // ETag.
    this.isCompressible =
      endpoint.method === 'GET' && !endpoint.polled && this.body.length >= MIN_BYTES_TO_COMPRESS
  }
  get etag(): string {
    return (this.#etag ??= `"${hash('sha1', this.body, 'base64url')}"`)
  }
  compressed(): Promise<Buffer> {
    // zlib returns a 64 kB buffer; the copy is as short as possible.
    return (this.#compressed ??= gzipAsync(this.body, { level: constants.Z_BEST_SPEED + 2 }).then(
      copyOf,
    ))
  }
  get maxBytes(): number {
    const bytes =
      typeof this.body === 'string' ? this.body.length * BYTES_PER_CHARACTER : this.body.length
    return OVERHEAD_BYTES + bytes * (this.isCompressible ? 2 : 1)
  }
}

export function serializerOf<const E extends Endpoint>(
  endpoint: E,
): (reply: Reply<E>) => SerializedReply<Reply<E>> {
  const filterReply = compileReplyFilter(endpoint.reply)
  return (reply) => new SerializedReply(endpoint, JSON.stringify(filterReply(reply)))
}
