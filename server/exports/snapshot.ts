import { finished } from 'node:stream/promises'
import { Transform, type Readable } from 'node:stream'
import type { Database, Tx } from '../db/database.ts'

type Limits = {
  /** A reader who takes nothing for so long is cut off: the transaction holds a connection. */
  stallMs?: number
  totalMs?: number
}

/**
 * Streams what `open` reads in one read-only transaction, which lasts until the stream is read or
 * destroyed. `open` must not read after `signal` is aborted.
 */
export function streamSnapshot(
  db: Pick<Database, 'inDojo'>,
  dojoId: string,
  open: (tx: Tx, signal: AbortSignal) => Promise<Readable>,
  { stallMs = 60_000, totalMs = 15 * 60_000 }: Limits = {},
): { stream: Promise<Readable>; over: Promise<void> } {
  const { promise: stream, resolve, reject } = Promise.withResolvers<Readable>()
  const reading = new AbortController()
  let handedOut: Readable | undefined
  const work = db.inDojo(dojoId, async (tx) => {
    reading.signal.throwIfAborted()
    await tx.execute('set transaction isolation level repeatable read, read only')
    await tx.execute(`set local idle_in_transaction_session_timeout = ${stallMs + 10_000}`)
    const source = await open(tx, reading.signal)
    handedOut = limitStalls(source, stallMs, totalMs)
    resolve(handedOut)
    await finished(handedOut, { writable: false }).finally(() => {
      reading.abort(new Error('The export is over'))
      source.destroy()
    })
  })
  const end = work.catch((error: Error) => {
    reject(error)
    handedOut?.destroy(error)
  })
  return { stream, over: end }
}

/** Ends the stream if nobody reads it for too long. */
function limitStalls(source: Readable, stallMs: number, totalMs: number): Readable {
  let takenAt = performance.now()
  const startedAt = takenAt
  const output = new Transform({
    transform(chunk, _, callback) {
      takenAt = performance.now()
      callback(null, chunk)
    },
  })
  const timer = setInterval(() => {
    const currentTime = performance.now()
    if (currentTime - takenAt > stallMs || currentTime - startedAt > totalMs)
      output.destroy(new Error('The export was not read in time'))
  }, stallMs / 6)
  output.once('close', () => clearInterval(timer))
  source.once('error', (error) => output.destroy(error))
  return source.pipe(output)
}
