import { mustExist } from '@tatami/contract/lib/must-exist'

export const CARD_SIDE = 1080
const MARGIN = 96
const MIDDLE = CARD_SIDE / 2

export type ShareCard = {
  name: string
  rank: string
  day: string
  school: string
  beltSvg: SVGSVGElement
  logo: string | null
  color: string | null
}

const tokenColor = (token: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(token).trim()
/** The card is black on white, even in dark mode. */
const PAPER = '--white-paper'
const INK = '--belt-black'

const loadImage = (src: string): Promise<HTMLImageElement> =>
  new Promise((resolve, reject) => {
    const image = new Image()
    image.addEventListener('load', () => resolve(image))
    image.addEventListener('error', () => reject(new Error('The picture cannot be loaded')))
    image.src = src
  })

/** An SVG outside the page cannot use the page's CSS variables, so this inserts their values. */
function toDataUrl(svg: SVGSVGElement): string {
  const source = new XMLSerializer()
    .serializeToString(svg)
    .replaceAll(/var\((--[\w-]+)\)/g, (_, token: string) => tokenColor(token))
  return `data:image/svg+xml,${encodeURIComponent(source)}`
}

type TextLine = { text: string; y: number; size: number; weight?: number; opacity?: number }

/** Shrinks the text if it is wider than the card. */
function drawLine(
  context: CanvasRenderingContext2D,
  { text, y, size, weight = 400, opacity = 1 }: TextLine,
): void {
  const font = (pixels: number) => `${weight} ${pixels}px ${tokenColor('--font')}`
  context.font = font(size)
  const widthRatio = context.measureText(text).width / (CARD_SIDE - 2 * MARGIN)
  context.font = font(size / Math.max(1, widthRatio))
  context.fillStyle = tokenColor(INK)
  context.globalAlpha = opacity
  context.textAlign = 'center'
  context.fillText(text, MIDDLE, y)
  context.globalAlpha = 1
}

function drawImageToFit(
  context: CanvasRenderingContext2D,
  image: HTMLImageElement,
  { y, width, height }: { y: number; width: number; height: number },
): void {
  const scale = Math.min(width / image.width, height / image.height)
  const size = { width: image.width * scale, height: image.height * scale }
  context.drawImage(
    image,
    MIDDLE - size.width / 2,
    y + (height - size.height) / 2,
    size.width,
    size.height,
  )
}

/** Returns the card as a PNG. */
export async function drawShareCard(
  canvas: HTMLCanvasElement,
  { name, rank, day, school, beltSvg, logo, color }: ShareCard,
): Promise<Blob> {
  const context = mustExist(canvas.getContext('2d'), 'The canvas context')
  const belt = await loadImage(toDataUrl(beltSvg))
  // Draws the card without the logo if the logo cannot be loaded.
  const logoImage = logo === null ? null : await loadImage(logo).catch(() => null)
  context.fillStyle = tokenColor(PAPER)
  context.fillRect(0, 0, CARD_SIDE, CARD_SIDE)
  context.fillStyle = color ?? tokenColor('--violet')
  context.fillRect(0, 0, CARD_SIDE, 28)
  drawImageToFit(context, belt, { y: 150, width: 620, height: 310 })
  drawLine(context, { text: name, y: 610, size: 132, weight: 700 })
  drawLine(context, { text: rank, y: 710, size: 64, weight: 600 })
  drawLine(context, { text: day, y: 780, size: 40, opacity: 0.7 })
  if (logoImage) drawImageToFit(context, logoImage, { y: 840, width: 400, height: 110 })
  drawLine(context, { text: school, y: logoImage ? 1010 : 950, size: 44, weight: 600 })
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (png) => (png ? resolve(png) : reject(new Error('The card cannot be saved'))),
      'image/png',
    ),
  )
}
