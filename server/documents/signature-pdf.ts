import { parseMarkedText } from '@tatami/contract/documents/marked-text'
import type { PDFDocument, PDFPage } from 'pdf-lib'
import { createTypeface, type Line, type Typeface } from '../lib/pdf-typeface.ts'
import type { SignaturePaper } from './signature-drawing.ts'

/** Lengths are in points, 72 to an inch. */
const LETTER: [number, number] = [612, 792]
const A4: [number, number] = [595.28, 841.89]
const MARGIN = 64
const LINE_HEIGHT = 1.35
const TITLE_SIZE = 20
const HEADING_SIZE = 13
const TEXT_SIZE = 11
const NOTE_SIZE = 9
const ITEM_INDENT = 16
const DRAWING_HEIGHT = 70
const DRAWING_BOX_HEIGHT = 100
/** Stands for a letter that the typeface lacks. The attached text file has every letter. */
const UNKNOWN_LETTER = '?'

type Cursor = { page: PDFPage; y: number }
type Style = { size: number; indent?: number; bullet?: string; spaceAfter?: number }

class PaperWriter {
  readonly #doc: PDFDocument
  readonly #typeface: Typeface
  readonly #pageSize: [number, number]
  #cursor: Cursor

  constructor(doc: PDFDocument, typeface: Typeface, pageSize: [number, number]) {
    this.#doc = doc
    this.#typeface = typeface
    this.#pageSize = pageSize
    this.#cursor = this.#addPage()
  }

  get textWidth(): number {
    return this.#pageSize[0] - 2 * MARGIN
  }

  #addPage(): Cursor {
    const page = this.#doc.addPage(this.#pageSize)
    return { page, y: this.#pageSize[1] - MARGIN }
  }

  /** Moves down, to the next page if there is too little space. */
  reserve(height: number): Cursor {
    if (this.#cursor.y - height < MARGIN) this.#cursor = this.#addPage()
    this.#cursor.y -= height
    return this.#cursor
  }

  addSpace(height: number): void {
    this.#cursor.y -= height
  }

  async write(text: string, { size, indent = 0, bullet, spaceAfter = 0 }: Style): Promise<void> {
    const lines = await this.#wrap(text, (this.textWidth - indent) / size)
    for (const [index, line] of lines.entries()) {
      const { page, y } = this.reserve(size * LINE_HEIGHT)
      if (index === 0 && bullet) drawLine(page, await this.#measure(bullet), { x: MARGIN, y, size })
      drawLine(page, line, { x: MARGIN + indent, y, size })
    }
    this.addSpace(spaceAfter)
  }

  async #measure(text: string): Promise<Line> {
    const line = await this.#typeface.upright(text)
    if (line) return line
    const letters = await Promise.all(
      Array.from(text, async (letter) =>
        (await this.#typeface.upright(letter)) ? letter : UNKNOWN_LETTER,
      ),
    )
    const knownLine = await this.#typeface.upright(letters.join(''))
    return knownLine ?? { runs: [], width: 0 }
  }

  /** Widths are at a font size of 1. A word that is wider than a line is broken. */
  async #wrap(text: string, maxWidth: number): Promise<Line[]> {
    const lines: string[] = []
    let lineText = ''
    for (const word of text.split(/\s+/).filter((part) => part !== '')) {
      const longerText = lineText === '' ? word : `${lineText} ${word}`
      if ((await this.#measure(longerText)).width <= maxWidth) lineText = longerText
      else {
        if (lineText !== '') lines.push(lineText)
        lineText = await this.#breakWord(word, maxWidth, lines)
      }
    }
    if (lineText !== '') lines.push(lineText)
    return Promise.all(lines.map((line) => this.#measure(line)))
  }

  /** Adds full lines of a long word to `lines`, and returns the rest of the word. */
  async #breakWord(word: string, maxWidth: number, lines: string[]): Promise<string> {
    let part = ''
    for (const letter of word) {
      if ((await this.#measure(part + letter)).width > maxWidth && part !== '') {
        lines.push(part)
        part = ''
      }
      part += letter
    }
    return part
  }
}

function drawLine(
  page: PDFPage,
  line: Line,
  { x, y, size }: { x: number; y: number; size: number },
): void {
  let leftEdge = x
  for (const { text, font, width } of line.runs) {
    page.drawText(text, { x: leftEdge, y, size, font })
    leftEdge += width * size
  }
}

async function writeBody(writer: PaperWriter, body: string): Promise<void> {
  for (const { kind, text } of parseMarkedText(body)) {
    if (kind === 'heading') {
      writer.addSpace(6)
      await writer.write(text, { size: HEADING_SIZE, spaceAfter: 3 })
    } else if (kind === 'item')
      await writer.write(text, { size: TEXT_SIZE, indent: ITEM_INDENT, bullet: '•', spaceAfter: 3 })
    else await writer.write(text, { size: TEXT_SIZE, spaceAfter: 7 })
  }
}

async function writeAnswers(
  writer: PaperWriter,
  answers: SignaturePaper['answers'],
): Promise<void> {
  if (answers.length === 0) return
  writer.addSpace(6)
  await writer.write('Answers', { size: HEADING_SIZE, spaceAfter: 3 })
  for (const { label, value } of answers) {
    await writer.write(label, { size: NOTE_SIZE })
    await writer.write(value, { size: TEXT_SIZE, spaceAfter: 5 })
  }
}

async function writeSignature(writer: PaperWriter, paper: SignaturePaper): Promise<void> {
  writer.addSpace(10)
  await writer.write(paper.statement, { size: HEADING_SIZE, spaceAfter: 4 })
  if (paper.drawing !== null) {
    const { page, y } = writer.reserve(DRAWING_HEIGHT)
    page.drawSvgPath(paper.drawing, {
      x: MARGIN,
      y: y + DRAWING_HEIGHT,
      scale: DRAWING_HEIGHT / DRAWING_BOX_HEIGHT,
      borderWidth: 2,
    })
  }
  for (const fact of paper.facts) await writer.write(fact, { size: NOTE_SIZE })
  if (paper.disclosure.length > 0) {
    writer.addSpace(6)
    await writer.write('Read and agreed before the text:', { size: NOTE_SIZE })
    for (const line of paper.disclosure)
      await writer.write(line, { size: NOTE_SIZE, indent: ITEM_INDENT, bullet: '•' })
  }
}

async function addPhoto(doc: PDFDocument, pageSize: [number, number], photo: Uint8Array) {
  const image = await doc.embedJpg(Uint8Array.from(photo))
  const page = doc.addPage(pageSize)
  const size = image.scaleToFit(pageSize[0] - MARGIN, pageSize[1] - MARGIN)
  page.drawImage(image, {
    ...size,
    x: (pageSize[0] - size.width) / 2,
    y: (pageSize[1] - size.height) / 2,
  })
}

/** The same content as the pages, for letters that the typeface lacks. */
const toPlainText = ({ body, answers, statement, facts, ...paper }: SignaturePaper): string =>
  [
    `${paper.dojo_name}: ${paper.document_name}, version ${paper.version}`,
    body,
    ...answers.map(({ label, value }) => `${label}\n${value}`),
    statement,
    ...facts,
  ].join('\n\n')

export async function createSignaturePdf(paper: SignaturePaper): Promise<Uint8Array> {
  const { PDFDocument } = await import('pdf-lib')
  const doc = await PDFDocument.create()
  const signedAt = new Date(paper.signed_at)
  doc.setTitle(`${paper.document_name}, signed for ${paper.person_name}`)
  doc.setLanguage(paper.language)
  doc.setCreationDate(signedAt)
  doc.setModificationDate(signedAt)
  const pageSize = paper.is_letter ? LETTER : A4
  const writer = new PaperWriter(doc, await createTypeface(doc), pageSize)
  await writer.write(paper.dojo_name, { size: TEXT_SIZE, spaceAfter: 4 })
  await writer.write(paper.document_name, { size: TITLE_SIZE, spaceAfter: 2 })
  await writer.write(`Version ${paper.version}, SHA-256 of the text: ${paper.text_hash}`, {
    size: NOTE_SIZE,
    spaceAfter: 12,
  })
  await writeBody(writer, paper.body)
  await writeAnswers(writer, paper.answers)
  await writeSignature(writer, paper)
  if (paper.photo) await addPhoto(doc, pageSize, paper.photo)
  await doc.attach(Buffer.from(toPlainText(paper)), 'text.txt', {
    mimeType: 'text/plain',
    description: 'The same text without layout',
    creationDate: signedAt,
    modificationDate: signedAt,
  })
  return doc.save()
}
