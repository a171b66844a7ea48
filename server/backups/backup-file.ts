import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fromFdPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { z } from 'zod'
import { toBackupError, BackupError } from './backup-error.ts'

/**
 * A backup is a zip with each table's rows in COPY format (`tables/<name>.copy`) and, as the last
 * file, `manifest.json`. The zip's comment is the SHA-256 of all bytes before it, which reveals any
 * change or loss.
 */
const FORMAT = 1
const MANIFEST_NAME = 'manifest.json'
const toEntryName = (table: string) => `tables/${table}.copy`
const DIGEST_LENGTH = 64
const ZIP_MAGIC = 'PK\u0003\u0004'
/** Needs a third of the processor time of zlib's default, and makes files a tenth larger. */
const COMPRESSION_LEVEL = 3
const CHECK_SPACE_EVERY_BYTES = 16 * 2 ** 20

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  made_at: z.iso.datetime(),
  tatami_version: z.string(),
  postgres_version: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int(), sha256: z.string() }),
  ),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string().nullable() })),
})
export type Manifest = z.output<typeof manifestSchema>
export type TableSummary = Manifest['tables'][number]

export function createHashingStream(): Transform & { digest: () => string } {
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _, callback) {
      hash.update(chunk)
      callback(null, chunk)
    },
  })
  return Object.assign(hashing, { digest: () => hash.digest('hex') })
}

/** Replaces the zip's placeholder comment with the digest. */
function createDigestAppender(): Transform {
  const hash = createHash('sha256')
  let tail = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _, callback) {
      const bytes = Buffer.concat([tail, chunk])
      const hashedBytes = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_LENGTH))
      tail = bytes.subarray(hashedBytes.length)
      hash.update(hashedBytes)
      callback(null, hashedBytes)
    },
    flush: (callback) => callback(null, hash.digest('hex')),
  })
}

/** Throws before the disk is full, because a full disk would stop a database on it. */
async function* keepFreeSpace(source: AsyncIterable<Buffer>, folder: string, reserveBytes: number) {
  let uncheckedBytes = Infinity
  for await (const chunk of source) {
    uncheckedBytes += chunk.length
    if (uncheckedBytes >= CHECK_SPACE_EVERY_BYTES) {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < reserveBytes) {
        const reserve = `${Math.floor(reserveBytes / 2 ** 20)} MB`
        throw new BackupError(
          `The disk of ${folder} is nearly full: a backup leaves ${reserve} of it free ` +
            'for everything else.',
        )
      }
      uncheckedBytes = 0
    }
    yield chunk
  }
}

type BackupContents = {
  tables: string[]
  openTable: (table: string) => Readable
  createManifest: () => Manifest
}

/** Writes a file that only its owner can read. It gets its final name when it is complete. A
 *  failure leaves no file. */
export async function writeBackupFile(
  path: string,
  { tables, openTable, createManifest }: BackupContents,
  reserveBytes: number,
): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const options = { compressionLevel: COMPRESSION_LEVEL, mode: 0o100600 }
  for (const table of tables)
    zip.addReadStreamLazy(toEntryName(table), options, (callback) =>
      callback(null, openTable(table)),
    )
  zip.addReadStreamLazy(MANIFEST_NAME, options, (callback) =>
    callback(null, Readable.from([JSON.stringify(createManifest(), null, 1)])),
  )
  zip.end({ comment: '0'.repeat(DIGEST_LENGTH), forceZip64Format: false })
  const unfinishedPath = `${path}.part`
  try {
    await refuseExisting(path)
    await pipeline(
      output,
      (source) => keepFreeSpace(source as AsyncIterable<Buffer>, dirname(path), reserveBytes),
      createDigestAppender(),
      createWriteStream(unfinishedPath, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await rename(unfinishedPath, path)
    await syncFolder(dirname(path))
  } catch (error) {
    output.destroy()
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      await rm(unfinishedPath, { force: true }).catch(() => {})
    throw toBackupError(error, `The backup cannot be written to ${path}`)
  }
}

async function refuseExisting(path: string) {
  const handle = await open(path, 'r').catch(() => undefined)
  await handle?.close()
  if (handle) throw new BackupError(`${path} already exists and is not overwritten.`)
}

async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

export type OpenBackup = {
  manifest: Manifest
  openTable: (name: string) => Promise<Readable>
  close: () => void
}

/** Opens a backup after checking every byte. Throws a BackupError if the file is damaged or not a
 *  backup. */
export async function openBackup(path: string): Promise<OpenBackup> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw toBackupError(error, `${path} cannot be read`)
  })
  try {
    await checkDigest(file, path)
    // yauzl closes the file descriptor, so the handle must not close it again.
    const zip = await fromFdPromise(file.fd, { autoClose: false, lazyEntries: true })
    const entries = new Map<string, Parameters<typeof zip.openReadStreamPromise>[0]>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const openEntry = async (name: string) => {
      const entry = entries.get(name)
      if (!entry)
        throw new BackupError(
          `${path} is a zip file, but not a backup of Tatami: it has no ${name}.`,
        )
      return zip.openReadStreamPromise(entry)
    }
    const manifest = parseManifest(await json(await openEntry(MANIFEST_NAME)), path)
    return {
      manifest,
      openTable: (name) => openEntry(toEntryName(name)),
      close: () => void file.close(),
    }
  } catch (error) {
    await file.close()
    throw toUnreadableError(error, path)
  }
}

/** Tatami did not write a file that has the right checksum but unreadable contents. */
function toUnreadableError(error: unknown, path: string): unknown {
  const backupError = toBackupError(error, `${path} cannot be read`)
  if (backupError instanceof BackupError) return backupError
  return new BackupError(
    `${path} is not a backup of Tatami, because its contents cannot be read.`,
    { cause: error },
  )
}

async function checkDigest(file: FileHandle, path: string) {
  const { size } = await file.stat()
  const read = async (position: number, length: number) =>
    (await file.read(Buffer.alloc(length), 0, length, position)).buffer.toString('latin1')
  if ((await read(0, ZIP_MAGIC.length)) !== ZIP_MAGIC || size <= DIGEST_LENGTH)
    throw new BackupError(`${path} is not a backup of Tatami.`)
  const hash = createHash('sha256')
  await pipeline(
    createReadStream('', {
      fd: file.fd,
      autoClose: false,
      start: 0,
      end: size - DIGEST_LENGTH - 1,
    }),
    hash,
  )
  if (hash.digest('hex') !== (await read(size - DIGEST_LENGTH, DIGEST_LENGTH)))
    throw new BackupError(
      `${path} is damaged or incomplete: its checksum does not match. Use another backup.`,
    )
}

const isConsistent = ({ tables, sequences }: Manifest): boolean =>
  tables.every(({ columns, rows }) => columns.length > 0 && rows >= 0) &&
  sequences.every(({ last_value }) => last_value === null || /^\d{1,18}$/.test(last_value))

function parseManifest(value: unknown, path: string): Manifest {
  const { format } = z.object({ format: z.int() }).catch({ format: 0 }).parse(value)
  if (format > FORMAT)
    throw new BackupError(
      `${path} was made by a newer version of Tatami. Restore it with that version or a later one.`,
    )
  const { data } = manifestSchema.safeParse(value)
  if (!data || !isConsistent(data))
    throw new BackupError(`${path} is a zip file, but not a backup of Tatami.`)
  return data
}
