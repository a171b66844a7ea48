import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPage,
  type PDFRawStream,
} from 'pdf-lib'

const decodeStream = (stream: PDFRawStream) =>
  Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
const decodeUtf16 = (hex: string) =>
  String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16)))

/** Returns the text of each page of a PDF. Texts at the same height become one line. */
export async function readPdfText(file: Uint8Array): Promise<string[]> {
  const doc = await PDFDocument.load(file)
  return doc.getPages().map(readPageText)
}

function readPageText(page: PDFPage): string {
  // A PDF stores text as numbers of glyphs. Each font has a table of their characters.
  const { context } = page.doc
  const fonts = page.node.Resources()!.lookup(PDFName.of('Font'), PDFDict)
  const charactersByFont = new Map(
    fonts.entries().map(([name, ref]) => {
      const table = context.lookup(ref, PDFDict).lookup(PDFName.of('ToUnicode')) as PDFRawStream
      const pairs = [...decodeStream(table).matchAll(/<([\dA-F]{4})> <([\dA-F]+)>/gi)]
      return [
        name.asString(),
        new Map(pairs.map(([, glyph = '', text = '']) => [glyph.toUpperCase(), decodeUtf16(text)])),
      ] as const
    }),
  )
  const contents = page.node.Contents()!
  const streams =
    contents instanceof PDFArray
      ? contents.asArray().map((ref) => context.lookup(ref) as PDFRawStream)
      : [contents as PDFRawStream]
  const content = streams.map(decodeStream).join('\n')
  // Each text has a font, a position and the numbers of its glyphs.
  const lines = new Map<string, string>()
  for (const [, font = '', y = '', glyphs = ''] of content.matchAll(
    /(\/\S+) [\d.]+ Tf[^]*?([\d.]+) Tm\s+<([\dA-F]*)> Tj/gi,
  )) {
    const text = (glyphs.match(/.{4}/g) ?? [])
      .map((glyph) => charactersByFont.get(font)?.get(glyph.toUpperCase()) ?? '\uFFFD')
      .join('')
    lines.set(y, (lines.get(y) ?? '') + text)
  }
  return [...lines.values()].join('\n')
}
