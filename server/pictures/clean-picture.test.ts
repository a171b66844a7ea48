import { describe, expect, test } from 'vitest'
import { cleanPicture } from './clean-picture.ts'

const LOCATION = Buffer.from('GPS 30.5052, -97.8203')

const jpegSegment = (marker: number, content: Buffer) => {
  const header = Buffer.from([0xff, marker, 0, 0])
  header.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([header, content])
}
const JPEG_TABLE = jpegSegment(0xdb, Buffer.alloc(65, 1))
/** 320 × 240 pixels */
const JPEG_FRAME = jpegSegment(0xc0, Buffer.from([8, 0, 240, 1, 64, 1, 1, 0x11, 0]))
const JPEG_SCAN = Buffer.concat([
  jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  // An escaped 0xff and a restart marker belong to the data.
  Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]),
])
const JPEG_START = Buffer.from([0xff, 0xd8])
const JPEG_END = Buffer.from([0xff, 0xd9])
const PLAIN_JPEG = Buffer.concat([JPEG_START, JPEG_TABLE, JPEG_FRAME, JPEG_SCAN, JPEG_END])

const pngChunk = (name: string, content: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, Buffer.from(name), content, Buffer.alloc(4)])
}
/** 16 × 16 gray pixels */
const PLAIN_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAD0lEQVR42mOoQQMMI1sAAOTffAErHF3fAAAAAElFTkSu' +
    'QmCC',
  'base64',
)
const PNG_HEADER_BYTES = 33

const webpChunk = (name: string, content: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(name), length, content, Buffer.alloc(content.length % 2)])
}
const createWebp = (...chunks: Buffer[]) => {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from('RIFF'), length, content])
}
/** 64 × 48 pixels */
const LOSSY_CHUNK = webpChunk('VP8 ', Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 64, 0, 48, 0, 7]))
const LOSSLESS_CHUNK = webpChunk('VP8L', Buffer.from([0x2f, 63, 0xc0, 11, 0, 7]))
const ALL_FEATURES_CHUNK = webpChunk('VP8X', Buffer.from([0x3e, 0, 0, 0, 63, 0, 0, 47, 0, 0]))

describe('cleanPicture', () => {
  test('removes the metadata of a JPEG, such as the location, and any bytes after its end', () => {
    const file = Buffer.concat([
      JPEG_START,
      jpegSegment(0xe0, Buffer.from('JFIF')),
      jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), LOCATION])),
      JPEG_TABLE,
      jpegSegment(0xe2, Buffer.concat([Buffer.from('MPF\0'), LOCATION])),
      jpegSegment(0xee, Buffer.concat([Buffer.from('Adobe'), LOCATION])),
      JPEG_FRAME,
      jpegSegment(0xfe, LOCATION),
      JPEG_SCAN,
      JPEG_END,
      LOCATION,
    ])
    expect(cleanPicture(file)).toEqual({
      media_type: 'image/jpeg',
      width: 320,
      height: 240,
      bytes: PLAIN_JPEG,
    })
  })

  test('removes the metadata between the scans of a progressive JPEG', () => {
    const file = Buffer.concat([
      JPEG_START,
      JPEG_TABLE,
      JPEG_FRAME,
      JPEG_SCAN,
      jpegSegment(0xe1, LOCATION),
      JPEG_SCAN,
      JPEG_END,
    ])
    expect(cleanPicture(file)?.bytes).toEqual(
      Buffer.concat([JPEG_START, JPEG_TABLE, JPEG_FRAME, JPEG_SCAN, JPEG_SCAN, JPEG_END]),
    )
  })

  test('removes the texts of a PNG, and any bytes after its end', () => {
    const file = Buffer.concat([
      PLAIN_PNG.subarray(0, PNG_HEADER_BYTES),
      pngChunk('tEXt', LOCATION),
      pngChunk('eXIf', LOCATION),
      PLAIN_PNG.subarray(PNG_HEADER_BYTES),
      LOCATION,
    ])
    expect(cleanPicture(file)).toEqual({
      media_type: 'image/png',
      width: 16,
      height: 16,
      bytes: PLAIN_PNG,
    })
  })

  test('removes the metadata of a WebP', () => {
    const metadata = [webpChunk('EXIF', LOCATION), webpChunk('XMP ', LOCATION)]
    expect(cleanPicture(createWebp(ALL_FEATURES_CHUNK, LOSSY_CHUNK, ...metadata))).toEqual({
      media_type: 'image/webp',
      width: 64,
      height: 48,
      bytes: createWebp(LOSSY_CHUNK),
    })
    expect(
      cleanPicture(createWebp(ALL_FEATURES_CHUNK, LOSSLESS_CHUNK, ...metadata))?.bytes,
    ).toEqual(createWebp(LOSSLESS_CHUNK))
    const alpha = webpChunk('ALPH', Buffer.from([0, 1]))
    const onlyAlpha = webpChunk('VP8X', Buffer.from([0x10, 0, 0, 0, 63, 0, 0, 47, 0, 0]))
    expect(
      cleanPicture(createWebp(ALL_FEATURES_CHUNK, alpha, LOSSY_CHUNK, ...metadata))?.bytes,
    ).toEqual(createWebp(onlyAlpha, alpha, LOSSY_CHUNK))
  })

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a web page', Buffer.from('<!doctype html><title>Hello</title>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0')],
    [
      'an animated WebP',
      createWebp(ALL_FEATURES_CHUNK, webpChunk('ANIM', Buffer.alloc(6)), LOSSY_CHUNK),
    ],
    ['a WebP without an image', createWebp(ALL_FEATURES_CHUNK)],
    [
      'a PNG without a header',
      Buffer.concat([PLAIN_PNG.subarray(0, 8), pngChunk('IEND', JPEG_END)]),
    ],
    [
      'a JPEG with two frames',
      Buffer.concat([JPEG_START, JPEG_TABLE, JPEG_FRAME, JPEG_FRAME, JPEG_SCAN, JPEG_END]),
    ],
    ['an empty file', Buffer.alloc(0)],
  ])('refuses %s', (_, file) => {
    expect(cleanPicture(file)).toBeNull()
  })

  test('refuses a picture that was cut off', () => {
    const files = [PLAIN_JPEG, PLAIN_PNG, createWebp(LOSSY_CHUNK)]
    for (const file of files)
      for (let length = 0; length < file.length; length += 1)
        expect(cleanPicture(file.subarray(0, length))).toBeNull()
  })
})
