import { describe, expect, test } from 'vitest'
import { cleanPicture } from './clean-picture.ts'

const PLACE = Buffer.from('GPS 30.5052, -97.8203')

const jpegSegment = (marker: number, content: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
const TABLE = jpegSegment(0xdb, Buffer.alloc(65, 1))
/** 320 × 240 pixels */
const FRAME = jpegSegment(0xc0, Buffer.from([8, 0, 240, 1, 64, 1, 1, 0x11, 0]))
const SCAN = Buffer.concat([
  jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  // An escaped 0xff and a restart marker belong to the data.
  Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]),
])
const START = Buffer.from([0xff, 0xd8])
const END = Buffer.from([0xff, 0xd9])
const PLAIN_JPEG = Buffer.concat([START, TABLE, FRAME, SCAN, END])

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
const webp = (...chunks: Buffer[]) => {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from('RIFF'), length, content])
}
/** 64 × 48 pixels */
const LOSSY = webpChunk('VP8 ', Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 64, 0, 48, 0, 7]))
const LOSSLESS = webpChunk('VP8L', Buffer.from([0x2f, 63, 0xc0, 11, 0, 7]))
const ALL_FEATURES = webpChunk('VP8X', Buffer.from([0x3e, 0, 0, 0, 63, 0, 0, 47, 0, 0]))

describe('a picture loses', () => {
  test('the metadata of a JPEG, such as the location, and what follows its end', () => {
    const file = Buffer.concat([
      START,
      jpegSegment(0xe0, Buffer.from('JFIF')),
      jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), PLACE])),
      TABLE,
      jpegSegment(0xe2, Buffer.concat([Buffer.from('MPF\0'), PLACE])),
      jpegSegment(0xee, Buffer.concat([Buffer.from('Adobe'), PLACE])),
      FRAME,
      jpegSegment(0xfe, PLACE),
      SCAN,
      END,
      PLACE,
    ])
    expect(cleanPicture(file)).toEqual({
      media_type: 'image/jpeg',
      width: 320,
      height: 240,
      bytes: PLAIN_JPEG,
    })
  })

  test('the metadata between the scans of a progressive JPEG', () => {
    const file = Buffer.concat([START, TABLE, FRAME, SCAN, jpegSegment(0xe1, PLACE), SCAN, END])
    expect(cleanPicture(file)?.bytes).toEqual(Buffer.concat([START, TABLE, FRAME, SCAN, SCAN, END]))
  })

  test('the texts of a PNG, and what follows its end', () => {
    const file = Buffer.concat([
      PLAIN_PNG.subarray(0, PNG_HEADER_BYTES),
      pngChunk('tEXt', PLACE),
      pngChunk('eXIf', PLACE),
      PLAIN_PNG.subarray(PNG_HEADER_BYTES),
      PLACE,
    ])
    expect(cleanPicture(file)).toEqual({
      media_type: 'image/png',
      width: 16,
      height: 16,
      bytes: PLAIN_PNG,
    })
  })

  test('the metadata of a WebP', () => {
    const metadata = [webpChunk('EXIF', PLACE), webpChunk('XMP ', PLACE)]
    expect(cleanPicture(webp(ALL_FEATURES, LOSSY, ...metadata))).toEqual({
      media_type: 'image/webp',
      width: 64,
      height: 48,
      bytes: webp(LOSSY),
    })
    expect(cleanPicture(webp(ALL_FEATURES, LOSSLESS, ...metadata))?.bytes).toEqual(webp(LOSSLESS))
    const alpha = webpChunk('ALPH', Buffer.from([0, 1]))
    const onlyAlpha = webpChunk('VP8X', Buffer.from([0x10, 0, 0, 0, 63, 0, 0, 47, 0, 0]))
    expect(cleanPicture(webp(ALL_FEATURES, alpha, LOSSY, ...metadata))?.bytes).toEqual(
      webp(onlyAlpha, alpha, LOSSY),
    )
  })
})

describe('no picture is', () => {
  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a web page', Buffer.from('<!doctype html><title>Hello</title>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0')],
    ['an animated WebP', webp(ALL_FEATURES, webpChunk('ANIM', Buffer.alloc(6)), LOSSY)],
    ['a WebP without an image', webp(ALL_FEATURES)],
    ['a PNG without a header', Buffer.concat([PLAIN_PNG.subarray(0, 8), pngChunk('IEND', END)])],
    ['a JPEG with two frames', Buffer.concat([START, TABLE, FRAME, FRAME, SCAN, END])],
    ['an empty file', Buffer.alloc(0)],
  ])('%s', (_, file) => {
    expect(cleanPicture(file)).toBeNull()
  })

  test('a picture that was cut off', () => {
    const files = [PLAIN_JPEG, PLAIN_PNG, webp(LOSSY)]
    for (const file of files)
      for (let length = 0; length < file.length; length += 1)
        expect(cleanPicture(file.subarray(0, length))).toBeNull()
  })
})
