/** Removes all metadata from JPEG, PNG and WebP files, because it may say where a child lives. */
import type { MediaType } from './tables.ts'

export type CleanPicture = { media_type: MediaType; width: number; height: number; bytes: Buffer }
type Size = Pick<CleanPicture, 'width' | 'height'>

/** Keeps only the parts that are needed to draw the picture. Returns null for a damaged file and
 *  for other types of files. */
export function cleanPicture(file: Buffer): CleanPicture | null {
  try {
    if (file.readUInt16BE(0) === JPEG_START) return cleanJpeg(file)
    if (file.subarray(0, 8).equals(PNG_SIGNATURE)) return cleanPng(file)
    const isWebp = file.toString('latin1', 0, 4) === 'RIFF'
    return isWebp && file.toString('latin1', 8, 12) === 'WEBP' ? cleanWebp(file) : null
  } catch (error) {
    // A read beyond the end of the file, which was cut off.
    if (error instanceof RangeError) return null
    throw error
  }
}

const JPEG_START = 0xffd8
const JPEG_END = Buffer.from([0xff, 0xd9])
const END_MARKER = 0xd9
const SCAN_MARKER = 0xda
const ADOBE_MARKER = 0xee
const TABLE_MARKERS = [0xc4, 0xcc, 0xdb, 0xdd]
/** Adobe's segment says how colors are encoded. A longer one may contain something else. */
const ADOBE_LENGTH = 14

/** A frame header has the size of the picture. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const isNeededSegment = (marker: number, length: number) =>
  isFrame(marker) ||
  marker === SCAN_MARKER ||
  TABLE_MARKERS.includes(marker) ||
  (marker === ADOBE_MARKER && length === ADOBE_LENGTH)

function cleanJpeg(file: Buffer): CleanPicture | null {
  const parts = [file.subarray(0, 2)]
  let size: Size | undefined
  let position = 2
  for (;;) {
    if (file.readUInt8(position) !== 0xff) return null
    const marker = file.readUInt8(position + 1)
    if (marker === END_MARKER) break
    if (marker === 0xff) {
      // A fill byte between segments.
      position += 1
      continue
    }
    const length = file.readUInt16BE(position + 2)
    let end = position + 2 + length
    if (isFrame(marker)) {
      if (size) return null
      size = { height: file.readUInt16BE(position + 5), width: file.readUInt16BE(position + 7) }
    }
    if (marker === SCAN_MARKER) end = findEndOfScan(file, end)
    if (end > file.length) return null
    if (isNeededSegment(marker, length)) parts.push(file.subarray(position, end))
    position = end
  }
  const bytes = Buffer.concat([...parts, JPEG_END])
  return size ? { media_type: 'image/jpeg', ...size, bytes } : null
}

/** In the data of a scan, 0xff is followed by 0 or by the number of a restart. */
function findEndOfScan(file: Buffer, start: number): number {
  let position = file.indexOf(0xff, start)
  while (position >= 0) {
    const marker = file.readUInt8(position + 1)
    if (marker !== 0 && (marker < 0xd0 || marker > 0xd7)) return position
    position = file.indexOf(0xff, position + 2)
  }
  return file.length
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']
/** A chunk's length, name and checksum, which surround its content. */
const PNG_FRAME_BYTES = 12

function cleanPng(file: Buffer): CleanPicture | null {
  const parts: Buffer[] = [PNG_SIGNATURE]
  let position = PNG_SIGNATURE.length
  for (;;) {
    const end = position + PNG_FRAME_BYTES + file.readUInt32BE(position)
    const name = file.toString('latin1', position + 4, position + 8)
    const isFirst = parts.length === 1
    if (end > file.length || (name === 'IHDR') !== isFirst) return null
    if (PNG_CHUNKS.includes(name)) parts.push(file.subarray(position, end))
    if (name === 'IEND') break
    position = end
  }
  const size = { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
  return { media_type: 'image/png', ...size, bytes: Buffer.concat(parts) }
}

const RIFF_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8

function cleanWebp(file: Buffer): CleanPicture | null {
  const chunks = new Map<string, Buffer>()
  let position = RIFF_HEADER_BYTES
  while (position < file.length) {
    const name = file.toString('latin1', position, position + 4)
    const length = file.readUInt32LE(position + 4)
    const end = position + CHUNK_HEADER_BYTES + length + (length % 2)
    const isAnimation = name === 'ANIM' || name === 'ANMF'
    if (end > file.length || isAnimation || chunks.has(name)) return null
    chunks.set(name, file.subarray(position, end))
    position = end
  }
  const lossy = chunks.get('VP8 ')
  const lossless = chunks.get('VP8L')
  const alpha = chunks.get('ALPH')
  if (lossy && alpha) {
    const size = readLossySize(lossy)
    return toWebp(size, [createAlphaHeader(size), alpha, lossy])
  }
  if (lossy) return toWebp(readLossySize(lossy), [lossy])
  return lossless ? toWebp(readLosslessSize(lossless), [lossless]) : null
}

const readLossySize = (chunk: Buffer): Size => ({
  width: chunk.readUInt16LE(14) & 0x3fff,
  height: chunk.readUInt16LE(16) & 0x3fff,
})

function readLosslessSize(chunk: Buffer): Size {
  const bits = chunk.readUInt32LE(9)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** A lossy picture with alpha begins with this chunk: its flags and its size. */
function createAlphaHeader({ width, height }: Size): Buffer {
  const header = Buffer.from('VP8X\n\0\0\0'.padEnd(CHUNK_HEADER_BYTES + 10, '\0'), 'latin1')
  header.writeUInt8(0x10, CHUNK_HEADER_BYTES)
  header.writeUIntLE(width - 1, CHUNK_HEADER_BYTES + 4, 3)
  header.writeUIntLE(height - 1, CHUNK_HEADER_BYTES + 7, 3)
  return header
}

function toWebp(size: Size, chunks: readonly Buffer[]): CleanPicture {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const header = Buffer.from('RIFF\0\0\0\0')
  header.writeUInt32LE(content.length, 4)
  return { media_type: 'image/webp', ...size, bytes: Buffer.concat([header, content]) }
}
