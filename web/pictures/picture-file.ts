import { MAX_PICTURE_BYTES, MAX_SIDE_PIXELS } from '@tatami/contract/pictures/pictures'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { Area } from 'react-easy-crop'

/** Large enough to zoom in, and small enough for an old phone. */
const MAX_OPENED_SIDE = 2048

/** Null if the browser cannot show the file, such as an SVG or a PDF. */
export async function openPicture(file: File): Promise<HTMLCanvasElement | null> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  const canvas = bitmap && drawSmaller(bitmap, MAX_OPENED_SIDE)
  bitmap?.close()
  return canvas
}

const newCanvas = (width: number, height: number) => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width))
  canvas.height = Math.max(1, Math.round(height))
  return canvas
}

const contextOf = (canvas: HTMLCanvasElement) =>
  mustExist(canvas.getContext('2d'), 'The canvas context')

function drawSmaller(picture: ImageBitmap | HTMLCanvasElement, maxSide: number) {
  const { width, height } = picture
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const canvas = newCanvas(width * scale, height * scale)
  const context = contextOf(canvas)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** Transparent areas would turn black in a JPEG. */
function fillBackgroundWhite(canvas: HTMLCanvasElement): void {
  const context = contextOf(canvas)
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
}

/** An address at which the browser shows the picture while it is cropped. */
export function toPreviewUrl(picture: HTMLCanvasElement): string {
  fillBackgroundWhite(picture)
  return picture.toDataURL('image/jpeg', 0.9)
}

const BASE64_BYTES = 0.75
const base64Of = (dataUrl: string) => dataUrl.slice(dataUrl.indexOf(',') + 1)
const isSmallEnough = (base64: string) => base64.length * BASE64_BYTES <= MAX_PICTURE_BYTES

const JPEG_QUALITIES = [0.9, 0.8, 0.65, 0.5]

function toSmallJpeg(canvas: HTMLCanvasElement): string {
  for (const quality of JPEG_QUALITIES) {
    const base64 = base64Of(canvas.toDataURL('image/jpeg', quality))
    if (isSmallEnough(base64)) return base64
  }
  return base64Of(canvas.toDataURL('image/jpeg', 0.3))
}

/** A square JPEG in base64. Redrawing it removes EXIF data, such as where it was taken. */
export function cropPhoto(picture: HTMLCanvasElement, cropArea: Area): string {
  const canvas = newCanvas(MAX_SIDE_PIXELS, MAX_SIDE_PIXELS)
  const context = contextOf(canvas)
  const [scaleX, scaleY] = [picture.width / 100, picture.height / 100]
  context.imageSmoothingQuality = 'high'
  context.drawImage(
    picture,
    cropArea.x * scaleX,
    cropArea.y * scaleY,
    cropArea.width * scaleX,
    cropArea.height * scaleY,
    0,
    0,
    MAX_SIDE_PIXELS,
    MAX_SIDE_PIXELS,
  )
  fillBackgroundWhite(canvas)
  return toSmallJpeg(canvas)
}

/** The whole picture as a JPEG in base64, on white like a receipt. */
export function toLogo(picture: HTMLCanvasElement): string {
  const canvas = drawSmaller(picture, MAX_SIDE_PIXELS)
  fillBackgroundWhite(canvas)
  return toSmallJpeg(canvas)
}
