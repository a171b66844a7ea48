import { MAX_PICTURE_BYTES, MAX_SIDE } from '@tatami/contract/pictures/pictures'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { type Crop, squareOf } from './crop.ts'

/** Null if the browser cannot show the file, such as an SVG or a PDF. */
export const openPicture = (file: File): Promise<ImageBitmap | null> =>
  createImageBitmap(file).catch(() => null)

const newCanvas = (width: number, height: number) => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width)
  canvas.height = Math.round(height)
  return canvas
}

const contextOf = (canvas: HTMLCanvasElement) =>
  mustExist(canvas.getContext('2d'), 'The context of the canvas')

export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const { left, top, side } = squareOf(picture, crop)
  const context = contextOf(canvas)
  context.imageSmoothingQuality = 'high'
  // A transparent picture would be black as a JPEG.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
}

const BASE64_BYTES = 0.75
const base64Of = (dataUrl: string) => dataUrl.slice(dataUrl.indexOf(',') + 1)
const isSmall = (base64: string) => base64.length * BASE64_BYTES <= MAX_PICTURE_BYTES

const JPEG_QUALITIES = [0.82, 0.7, 0.55, 0.4]

/** A square JPEG in base64. Drawing it anew leaves out EXIF data, such as where it was taken. */
export function photoOf(picture: ImageBitmap, crop: Crop): string {
  const canvas = newCanvas(MAX_SIDE, MAX_SIDE)
  drawCrop(canvas, picture, crop)
  const versions = JPEG_QUALITIES.map((quality) =>
    base64Of(canvas.toDataURL('image/jpeg', quality)),
  )
  return mustExist(versions.find(isSmall) ?? versions.at(-1), 'The photo')
}

const LOGO_SIDES = [MAX_SIDE, 384, 256, 192]

/** A whole picture as a PNG in base64, which keeps transparent corners. */
export function logoOf(picture: ImageBitmap): string {
  const { width, height } = picture
  const versions = LOGO_SIDES.map((side) => {
    const scale = Math.min(1, side / Math.max(width, height))
    const canvas = newCanvas(Math.max(1, width * scale), Math.max(1, height * scale))
    const context = contextOf(canvas)
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    return base64Of(canvas.toDataURL('image/png'))
  })
  return mustExist(versions.find(isSmall) ?? versions.at(-1), 'The logo')
}
