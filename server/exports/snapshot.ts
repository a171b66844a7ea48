import { finished } from 'node:stream/promises'
import { Transform, type Readable } from 'node:stream'
import type { Database, Tx } from '../db/database.ts'

const MINUTE_MS = 60_000

type TimeLimits = {
  /** A client that reads nothing for this long is disconnected, because it blocks a connection. */
  stallMs?: number
  totalMs?: number
}

/** Streams what `open` reads in one read-only transaction, so that all data is as of one moment.
 *  `signal` aborts when the stream ends or the client stops reading. */
export function streamSnapshot(
  db: Pick<Database, 'inDojo'>,
  dojoId: string,
  open: (tx: Tx, signal: AbortSignal) => Promise<Readable>,
  { stallMs = MINUTE_MS, totalMs = 15 * MINUTE_MS }: TimeLimits = {},
): { stream: Promise<Readable>; finished: Promise<void> } {
  const { promise: stream, resolve, reject } = Promise.withResolvers<Readable>()
  const readController = new AbortController()
  let clientStream: Readable | undefined
  const work = db.inDojo(dojoId, async (tx) => {
    readController.signal.throwIfAborted()
    await tx.execute('set transaction isolation level repeatable read, read only')
    await tx.execute(`set local idle_in_transaction_session_timeout = ${stallMs + 10_000}`)
    const source = await open(tx, readController.signal)
    clientStream = limitTime(source, stallMs, totalMs)
    resolve(clientStream)
    await finished(clientStream, { writable: false }).finally(() => {
      readController.abort(new Error('The export is over'))
      source.destroy()
    })
  })
  const settledWork = work.catch((error: Error) => {
    reject(error)
    clientStream?.destroy(error)
  })
  return { stream, finished: settledWork }
}

function limitTime(source: Readable, stallMs: number, totalMs: number): Readable {
  let lastReadAt = performance.now()
  const startedAt = lastReadAt
  const output = new Transform({
    transform(chunk, _, callback) {
      lastReadAt = performance.now()
      callback(null, chunk)
    },
  })
  const timer = setInterval(() => {
    const currentTime = performance.now()
    if (currentTime - lastReadAt > stallMs || currentTime - startedAt > totalMs)
      output.destroy(new Error('The export was not read in time'))
  }, stallMs / 6)
  output.once('close', () => clearInterval(timer))
  source.once('error', (error) => output.destroy(error))
  return source.pipe(output)
}
