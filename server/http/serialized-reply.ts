import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Endpoint, Reply } from '@tatami/contract/lib/endpoint'
import { compileReplyFilter } from './reply-filter.ts'

const MIN_BYTES_TO_COMPRESS = 1000
/** Node sends a string in one piece with its headers, which is faster for a short one; a long one would be encoded anew each time. A buffer
 *  of this size has its memory to itself. */
const MIN_BYTES_OF_BUFFER = 4096
/** What the objects around a body take, about. */
const OVERHEAD_BYTES = 500
/** Of a string in memory, at most. */
const BYTES_PER_CHARACTER = 2
const gzipAsync = promisify(gzip)
const copyOf = (bytes: Buffer) => {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** A reply as it is sent. One that is cached is serialised, tagged and compressed once. */
export class SerializedReply<R = unknown> {
  declare readonly reply?: R
  readonly body: string | Buffer
  readonly isCompressible: boolean
  #etag: string | undefined
  #compressed: Promise<Buffer> | undefined

  /** `json` holds nothing but fields of the endpoint's reply. */
  constructor(endpoint: Endpoint, json: string | Buffer) {
    this.body =
      typeof json === 'string' && json.length >= MIN_BYTES_OF_BUFFER ? Buffer.from(json) : json
    // The compressed length of a reply with a token would reveal the token (decision 15); polled replies are short and have an ETag.
    this.isCompressible =
      endpoint.method === 'GET' && !endpoint.polled && this.body.length >= MIN_BYTES_TO_COMPRESS
  }
  get etag(): string {
    return (this.#etag ??= `"${hash('sha1', this.body, 'base64url')}"`)
  }
  compressed(): Promise<Buffer> {
    // What zlib returns lies in 64 kB of its own, however short it is; a copy is as long as it has to be.
    return (this.#compressed ??= gzipAsync(this.body, { level: constants.Z_BEST_SPEED + 2 }).then(
      copyOf,
    ))
  }
  /** How many bytes of memory it takes at most: a compressed copy is never longer than the body. */
  get maxBytes(): number {
    const bytes =
      typeof this.body === 'string' ? this.body.length * BYTES_PER_CHARACTER : this.body.length
    return OVERHEAD_BYTES + bytes * (this.isCompressible ? 2 : 1)
  }
}

/** Serialises replies of this endpoint; fields that are not in its schema are left out. */
export function serializerOf<const E extends Endpoint>(
  endpoint: E,
): (reply: Reply<E>) => SerializedReply<Reply<E>> {
  const filterReply = compileReplyFilter(endpoint.reply)
  return (reply) => new SerializedReply(endpoint, JSON.stringify(filterReply(reply)))
}
