import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export type ZipEntry = { name: string; content: () => AsyncIterable<string | Buffer> }

/** Returns a zip that is written while it is read. Destroying it also stops reading the files. */
export function streamZip(entries: readonly ZipEntry[], madeAt: Date): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let currentFile: Readable | undefined
  for (const { name, content } of entries)
    zip.addReadStreamLazy(name, { mtime: madeAt }, (callback) => {
      currentFile = Readable.from(content(), { objectMode: false })
      callback(null, currentFile)
    })
  zip.on('error', (error: Error) => output.destroy(error))
  output.once('close', () => currentFile?.destroy())
  zip.end()
  return output
}

export const createTextFile = (name: string, text: string): ZipEntry => ({
  name,
  async *content() {
    yield text
  },
})
