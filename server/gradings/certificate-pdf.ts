import type { ShownRank } from '@tatami/contract/lib/ranks'
import type { PDFPage } from 'pdf-lib'
import QRCode from 'qrcode'
import type { Certificate } from './certificates.ts'
import { type Line, type Typeface, typefaceFor } from './certificate-fonts.ts'
import { drawRank, RANK_WIDTH } from './draw-rank.ts'
import { formatFullDate } from '../lib/format-day.ts'

const LETTER = { width: 792, height: 612 },
  A4 = { width: 841.89, height: 595.28 }

/** Letter in the Americas, A4 elsewhere. */
const paperOf = (timeZone: string) =>
  /^(?:Africa|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//.test(timeZone) &&
  timeZone !== 'Pacific/Honolulu'
    ? A4
    : LETTER

const INK = '#23201d',
  FAINT = '#6f665a',
  GOLD = '#a8842c'

/** One page each. A name that the typeface lacks letters for is left to be written by hand. */
export async function certificatesPdf(
  certificates: readonly Certificate[],
  publicUrl: string,
  madeAt: Date,
): Promise<Uint8Array> {
  const { PDFDocument, rgb } = await import('pdf-lib')
  const doc = await PDFDocument.create()
  doc.setTitle(certificates.length === 1 ? 'Certificate of Rank' : 'Certificates of Rank')
  doc.setCreationDate(madeAt)
  doc.setModificationDate(madeAt)
  const typeface = await typefaceFor(doc)
  const colorOf = (hex: string) => {
    const [redPart, green, blue] = [1, 3, 5].map(
      (offset) => parseInt(hex.slice(offset, offset + 2), 16) / 255,
    )
    return rgb(redPart!, green!, blue!)
  }
  for (const certificate of certificates) {
    const { width, height } = paperOf(certificate.time_zone)
    const page = doc.addPage([width, height])
    await drawCertificate(
      { page, typeface, colorOf, width, height },
      certificate,
      `${publicUrl}/certificate/${certificate.code}`,
    )
  }
  return doc.save()
}

type Sheet = {
  page: PDFPage
  typeface: Typeface
  colorOf: Parameters<typeof drawRank>[2]['colorOf']
  width: number
  height: number
}
type TextBox = { x: number; y: number; size: number; room: number; colour?: string }

function drawLine(
  { page, colorOf }: Sheet,
  line: Line,
  { x, y, size: wantedSize, room, colour = INK }: TextBox,
): void {
  const size = Math.min(wantedSize, room / line.width)
  let leftEdge = x - (line.width * size) / 2
  for (const { text, font, width } of line.runs) {
    page.drawText(text, { x: leftEdge, y, size, font, color: colorOf(colour) })
    leftEdge += width * size
  }
}

function drawRule(
  { page, colorOf }: Sheet,
  x: number,
  y: number,
  length: number,
  colour = INK,
  thickness = 0.7,
): void {
  page.drawLine({
    start: { x: x - length / 2, y },
    end: { x: x + length / 2, y },
    color: colorOf(colour),
    thickness,
  })
}

async function drawWords(sheet: Sheet, text: string, box: TextBox): Promise<void> {
  const line = await sheet.typeface.upright(text)
  if (line) return drawLine(sheet, line, box)
  drawRule(sheet, box.x, box.y - 2, Math.min(box.room, box.size * 8), FAINT)
  await drawItalic(sheet, 'to be written by hand', {
    ...box,
    y: box.y - 12,
    size: 9,
    colour: FAINT,
  })
}

const drawItalic = async (sheet: Sheet, text: string, box: TextBox) =>
  drawLine(sheet, await sheet.typeface.italic(text), box)

async function drawCertificate(
  sheet: Sheet,
  certificate: Certificate,
  address: string,
): Promise<void> {
  const { page, colorOf, width, height } = sheet
  const middle = width / 2,
    room = width - 180
  drawFrame(sheet)
  await drawWords(sheet, certificate.dojo_name, { x: middle, y: height - 98, size: 34, room })
  drawRule(sheet, middle, height - 116, 120, GOLD, 1)
  await drawWords(sheet, 'C E R T I F I C A T E   O F   R A N K', {
    x: middle,
    y: height - 142,
    size: 14,
    room,
    colour: GOLD,
  })
  await drawItalic(sheet, 'This certifies that', {
    x: middle,
    y: height - 180,
    size: 16,
    room,
    colour: FAINT,
  })
  await drawWords(sheet, certificate.student_name, { x: middle, y: height - 229, size: 46, room })
  await drawItalic(sheet, 'has earned the rank of', {
    x: middle,
    y: height - 263,
    size: 16,
    room,
    colour: FAINT,
  })
  await drawWords(sheet, nameOnPaper(certificate.rank), {
    x: middle,
    y: height - 302,
    size: 32,
    room,
  })
  const scale = 3.4
  drawRank(page, certificate.rank, {
    x: middle - (RANK_WIDTH * scale) / 2,
    y: height - 312,
    scale,
    colorOf,
  })
  await drawWords(sheet, formatFullDate(certificate.given_on), {
    x: middle,
    y: height - 420,
    size: 17,
    room,
  })
  await drawSignatures(sheet, certificate)
  await drawWords(sheet, `No. ${certificate.number}`, {
    x: middle,
    y: 62,
    size: 11,
    room: room / 2,
  })
  await drawWords(sheet, address, { x: middle, y: 48, size: 9, room: room - 60, colour: FAINT })
  drawCode(sheet, address)
}

const nameOnPaper = ({ name, colours }: ShownRank) =>
  colours.join() === name.toLowerCase() ? `${name} belt` : name

function drawFrame({ page, colorOf, width, height }: Sheet): void {
  const frame = (inset: number, colour: string, borderWidth: number) =>
    page.drawRectangle({
      ...{ x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset },
      ...{ borderColor: colorOf(colour), borderWidth },
    })
  frame(24, INK, 2.2)
  frame(30, GOLD, 0.8)
}

async function drawSignatures(sheet: Sheet, { examiner, instructor }: Certificate): Promise<void> {
  const signers = [
    ...(examiner ? [{ name: examiner, as: 'Examiner' }] : []),
    ...(instructor && instructor !== examiner ? [{ name: instructor, as: 'Instructor' }] : []),
  ]
  for (const [place, { name, as }] of signers.entries()) {
    const x = sheet.width * (signers.length === 1 ? 0.5 : 0.31 + 0.38 * place)
    drawRule(sheet, x, 116, 190)
    await drawWords(sheet, name, { x, y: 101, size: 13, room: 190 })
    await drawItalic(sheet, as, { x, y: 88, size: 11, room: 190, colour: FAINT })
  }
}

function drawCode({ page, colorOf, width }: Sheet, address: string): void {
  const { size, data } = QRCode.create(address, { errorCorrectionLevel: 'M' }).modules
  const side = 54
  const modules = Array.from(data).flatMap((isDark, place) =>
    isDark ? [`M${place % size} ${Math.floor(place / size)}h1v1h-1z`] : [],
  )
  page.drawSvgPath(modules.join(''), {
    x: width - 44 - side,
    y: 44 + side,
    scale: side / size,
    color: colorOf(INK),
  })
}
