import type { ShownRank } from '@tatami/contract/lib/ranks'
import type { PDFDocument, PDFImage, PDFPage } from 'pdf-lib'
import QRCode from 'qrcode'
import type { Certificate } from './certificates.ts'
import { type Line, type Typeface, createTypeface } from '../lib/pdf-typeface.ts'
import { drawRank, RANK_WIDTH } from './draw-rank.ts'
import { formatFullDate } from '../lib/format-day.ts'
import { printsOnLetter } from '../lib/paper-size.ts'
import type { PictureFile } from '../pictures/pictures.ts'

/** All lengths in this file are in points. An inch has 72. */
const LETTER = { width: 792, height: 612 }
const A4 = { width: 841.89, height: 595.28 }

const INK = '#23201d'
const GRAY = '#6f665a'
const GOLD = '#a8842c'

/** If the typeface lacks a letter of a name, draws a line on which somebody can write the name. */
export async function createCertificatesPdf(
  certificates: readonly Certificate[],
  publicUrl: string,
  madeAt: Date,
): Promise<Uint8Array> {
  const { PDFDocument, rgb } = await import('pdf-lib')
  const doc = await PDFDocument.create()
  doc.setTitle(certificates.length === 1 ? 'Certificate of Rank' : 'Certificates of Rank')
  doc.setCreationDate(madeAt)
  doc.setModificationDate(madeAt)
  const typeface = await createTypeface(doc)
  const toColor = (hex: string) => {
    const channel = (offset: number) => parseInt(hex.slice(offset, offset + 2), 16) / 255
    return rgb(channel(1), channel(3), channel(5))
  }
  // All certificates in a file are from the same school.
  const logo = await embedLogo(doc, certificates[0]?.logo ?? null)
  for (const certificate of certificates) {
    const { width, height } = printsOnLetter(certificate.time_zone) ? LETTER : A4
    const page = doc.addPage([width, height])
    await drawCertificate(
      { page, typeface, toColor, width, height, logo },
      certificate,
      `${publicUrl}/certificate/${certificate.code}`,
    )
  }
  return doc.save()
}

/** Returns null if there is no logo. Also if it is damaged, because a certificate without a logo is
 *  better than none. */
async function embedLogo(doc: PDFDocument, logo: PictureFile | null): Promise<PDFImage | null> {
  if (!logo) return null
  // Copies the bytes, because the library ignores where a buffer starts in a larger block of memory.
  return doc.embedJpg(Uint8Array.from(logo.bytes)).catch(() => null)
}

type CertificatePage = {
  page: PDFPage
  typeface: Typeface
  toColor: Parameters<typeof drawRank>[2]['toColor']
  width: number
  height: number
  logo: PDFImage | null
}
/** Text is centered at `x`. It is smaller than `size` if it would otherwise exceed `maxWidth`. */
type TextBox = { x: number; y: number; size: number; maxWidth: number; colour?: string }

function drawTextLine(
  { page, toColor }: CertificatePage,
  line: Line,
  { x, y, size: requestedSize, maxWidth, colour = INK }: TextBox,
): void {
  const size = Math.min(requestedSize, maxWidth / line.width)
  let leftEdge = x - (line.width * size) / 2
  for (const { text, font, width } of line.runs) {
    page.drawText(text, { x: leftEdge, y, size, font, color: toColor(colour) })
    leftEdge += width * size
  }
}

function drawHorizontalLine(
  { page, toColor }: CertificatePage,
  x: number,
  y: number,
  length: number,
  colour = INK,
  thickness = 0.7,
): void {
  page.drawLine({
    start: { x: x - length / 2, y },
    end: { x: x + length / 2, y },
    color: toColor(colour),
    thickness,
  })
}

async function drawText(sheet: CertificatePage, text: string, box: TextBox): Promise<void> {
  const line = await sheet.typeface.upright(text)
  if (line) return drawTextLine(sheet, line, box)
  drawHorizontalLine(sheet, box.x, box.y - 2, Math.min(box.maxWidth, box.size * 8), GRAY)
  await drawItalic(sheet, 'please write by hand', {
    ...box,
    y: box.y - 12,
    size: 9,
    colour: GRAY,
  })
}

const drawItalic = async (sheet: CertificatePage, text: string, box: TextBox) =>
  drawTextLine(sheet, await sheet.typeface.italic(text), box)

async function drawCertificate(
  sheet: CertificatePage,
  certificate: Certificate,
  url: string,
): Promise<void> {
  const { page, toColor, width, height } = sheet
  const middle = width / 2
  const maxWidth = width - 180
  const boxFromTop = (distance: number, size: number): TextBox => ({
    x: middle,
    y: height - distance,
    size,
    maxWidth,
  })
  const accent = certificate.color ?? GOLD
  drawFrame(sheet, accent)
  drawLogo(sheet)
  const nameBox = boxFromTop(98, 34)
  await drawText(sheet, certificate.dojo_name, {
    ...nameBox,
    // Leaves room for the logo on the left, and as much space on the right.
    ...(sheet.logo && { maxWidth: width - 2 * (LOGO_INSET + LOGO_WIDTH + 12) }),
  })
  drawHorizontalLine(sheet, middle, height - 116, 120, accent, 1)
  await drawText(sheet, 'C E R T I F I C A T E   O F   R A N K', {
    ...boxFromTop(142, 14),
    // A school's color may be hard to read as text.
    colour: certificate.color ? INK : GOLD,
  })
  await drawItalic(sheet, 'This certifies that', { ...boxFromTop(180, 16), colour: GRAY })
  await drawText(sheet, certificate.student_name, boxFromTop(229, 46))
  await drawItalic(sheet, 'has earned the rank of', { ...boxFromTop(263, 16), colour: GRAY })
  await drawText(sheet, formatRankName(certificate.rank), boxFromTop(302, 32))
  const scale = 3.4
  drawRank(page, certificate.rank, {
    x: middle - (RANK_WIDTH * scale) / 2,
    y: height - 312,
    scale,
    toColor,
  })
  await drawText(sheet, formatFullDate(certificate.given_on), boxFromTop(420, 17))
  await drawSignatures(sheet, certificate)
  const numberBox = { x: middle, y: 62, size: 11, maxWidth: maxWidth / 2 }
  const urlBox = { x: middle, y: 48, size: 9, maxWidth: maxWidth - 60, colour: GRAY }
  await drawText(sheet, `No. ${certificate.number}`, numberBox)
  await drawText(sheet, url, urlBox)
  drawQrCode(sheet, url)
}

/** Returns "Yellow belt" for a rank that is named after its color, and other names unchanged. */
const formatRankName = ({ name, colours }: ShownRank) =>
  colours.join() === name.toLowerCase() ? `${name} belt` : name

const LOGO_INSET = 48
const LOGO_WIDTH = 110
const LOGO_HEIGHT = 64

function drawLogo({ page, logo, height }: CertificatePage): void {
  if (!logo) return
  const size = logo.scaleToFit(LOGO_WIDTH, LOGO_HEIGHT)
  page.drawImage(logo, { ...size, x: LOGO_INSET, y: height - LOGO_INSET - size.height })
}

function drawFrame({ page, toColor, width, height }: CertificatePage, accent: string): void {
  const drawRectangle = (inset: number, colour: string, borderWidth: number) =>
    page.drawRectangle({
      x: inset,
      y: inset,
      width: width - 2 * inset,
      height: height - 2 * inset,
      borderColor: toColor(colour),
      borderWidth,
    })
  drawRectangle(24, INK, 2.2)
  drawRectangle(30, accent, 0.8)
}

async function drawSignatures(
  sheet: CertificatePage,
  { examiner, instructor }: Certificate,
): Promise<void> {
  const signers = [
    ...(examiner ? [{ name: examiner, role: 'Examiner' }] : []),
    ...(instructor && instructor !== examiner ? [{ name: instructor, role: 'Instructor' }] : []),
  ]
  for (const [index, { name, role }] of signers.entries()) {
    const x = sheet.width * (signers.length === 1 ? 0.5 : 0.31 + 0.38 * index)
    drawHorizontalLine(sheet, x, 116, 190)
    await drawText(sheet, name, { x, y: 101, size: 13, maxWidth: 190 })
    await drawItalic(sheet, role, { x, y: 88, size: 11, maxWidth: 190, colour: GRAY })
  }
}

function drawQrCode({ page, toColor, width }: CertificatePage, url: string): void {
  const { size, data } = QRCode.create(url, { errorCorrectionLevel: 'M' }).modules
  const sideLength = 54
  // Each dark module is a square with sides of length 1.
  const squares = Array.from(data, (isDark, index) =>
    isDark ? `M${index % size} ${Math.floor(index / size)}h1v1h-1z` : '',
  )
  page.drawSvgPath(squares.join(''), {
    x: width - 44 - sideLength,
    y: 44 + sideLength,
    scale: sideLength / size,
    color: toColor(INK),
  })
}
