import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** Its text is only read when its turn comes. */
export type ZipEntry = { name: string; text: () => AsyncIterable<string> }

/** A zip that is written while it is read. Destroying it ends the reading of its files. */
export function zipOf(entries: readonly ZipEntry[], madeAt: Date): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let reading: Readable | undefined
  for (const { name, text } of entries)
    zip.addReadStreamLazy(name, { mtime: madeAt }, (begin) => {
      reading = Readable.from(text(), { objectMode: false })
      begin(null, reading)
    })
  zip.on('error', (error: Error) => output.destroy(error))
  output.once('close', () => reading?.destroy())
  zip.end()
  return output
}

export const textFile = (name: string, text: string): ZipEntry => ({
  name,
  async *text() {
    yield text
  },
})
