import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Endpoint, Reply } from '@tatami/contract/lib/endpoint'
import { compileReplyFilter } from './reply-filter.ts'

const MIN_BYTES_TO_COMPRESS = 1000
/** A short string is sent fastest together with the headers. A longer one is encoded only once. */
const MIN_BYTES_OF_BUFFER = 4096
const GZIP_LEVEL = constants.Z_BEST_SPEED + 2
const OVERHEAD_BYTES = 500
const BYTES_PER_CHARACTER = 2
const gzipAsync = promisify(gzip)
const copyToSmallBuffer = (bytes: Buffer) => {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** A reply as JSON. If it is cached, its ETag and its compressed form are computed only once. */
export class SerializedReply<ReplyValue = unknown> {
  declare readonly reply?: ReplyValue
  readonly body: string | Buffer
  readonly isCompressible: boolean
  #etag: string | undefined
  #compressed: Promise<Buffer> | undefined

  constructor(endpoint: Endpoint, json: string | Buffer) {
    this.body =
      typeof json === 'string' && json.length >= MIN_BYTES_OF_BUFFER ? Buffer.from(json) : json
    // A compressed length can reveal a token, so only GETs are compressed (decision 15).
    this.isCompressible =
      endpoint.method === 'GET' && !endpoint.polled && this.body.length >= MIN_BYTES_TO_COMPRESS
  }
  get etag(): string {
    return (this.#etag ??= `"${hash('sha1', this.body, 'base64url')}"`)
  }
  compressed(): Promise<Buffer> {
    // zlib's buffer takes 64 kB even if its content is short.
    return (this.#compressed ??= gzipAsync(this.body, { level: GZIP_LEVEL }).then(
      copyToSmallBuffer,
    ))
  }
  /** The memory that the reply may take in a cache, including its compressed form. */
  get maxBytes(): number {
    const bytes =
      typeof this.body === 'string' ? this.body.length * BYTES_PER_CHARACTER : this.body.length
    return OVERHEAD_BYTES + bytes * (this.isCompressible ? 2 : 1)
  }
}

export function createSerializer<const Call extends Endpoint>(
  endpoint: Call,
): (reply: Reply<Call>) => SerializedReply<Reply<Call>> {
  const filterReply = compileReplyFilter(endpoint.reply)
  return (reply) => new SerializedReply(endpoint, JSON.stringify(filterReply(reply)))
}
