import { MAX_PICTURE_BYTES, MAX_SIDE_PIXELS } from '@tatami/contract/pictures/pictures'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { Area } from 'react-easy-crop'

/** Large enough to zoom in, and small enough for an old phone. */
const MAX_OPENED_SIDE_PIXELS = 2048

/** Returns null for a file that the browser cannot show, such as a PDF. */
export async function openPicture(file: File): Promise<HTMLCanvasElement | null> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  const canvas = bitmap && drawSmaller(bitmap, MAX_OPENED_SIDE_PIXELS)
  bitmap?.close()
  return canvas
}

const createCanvas = (width: number, height: number) => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width))
  canvas.height = Math.max(1, Math.round(height))
  return canvas
}

const getContext = (canvas: HTMLCanvasElement) =>
  mustExist(canvas.getContext('2d'), 'The canvas context')

function drawSmaller(picture: ImageBitmap | HTMLCanvasElement, maxSide: number) {
  const { width, height } = picture
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const canvas = createCanvas(width * scale, height * scale)
  const context = getContext(canvas)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** Transparent areas would turn black in a JPEG. */
function fillBackgroundWhite(canvas: HTMLCanvasElement): void {
  const context = getContext(canvas)
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
}

/** Returns a data URL that shows the picture while the user crops it. */
export function toPreviewUrl(picture: HTMLCanvasElement): string {
  fillBackgroundWhite(picture)
  return picture.toDataURL('image/jpeg', 0.9)
}

const BASE64_BYTES = 0.75
const removePrefix = (dataUrl: string) => dataUrl.slice(dataUrl.indexOf(',') + 1)
const isSmallEnough = (base64: string) => base64.length * BASE64_BYTES <= MAX_PICTURE_BYTES

const JPEG_QUALITIES = [0.9, 0.8, 0.65, 0.5]

function toSmallJpeg(canvas: HTMLCanvasElement): string {
  for (const quality of JPEG_QUALITIES) {
    const base64 = removePrefix(canvas.toDataURL('image/jpeg', quality))
    if (isSmallEnough(base64)) return base64
  }
  return removePrefix(canvas.toDataURL('image/jpeg', 0.3))
}

/** Returns a square JPEG in base64. Drawing it removes EXIF data, such as the location. */
export function cropPhoto(picture: HTMLCanvasElement, cropArea: Area): string {
  const canvas = createCanvas(MAX_SIDE_PIXELS, MAX_SIDE_PIXELS)
  const context = getContext(canvas)
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

/** Returns the whole picture as a JPEG in base64, on white like a receipt. Drawing it removes EXIF
 *  data. */
export function toJpeg(picture: HTMLCanvasElement, maxSide = MAX_SIDE_PIXELS): string {
  const canvas = drawSmaller(picture, maxSide)
  fillBackgroundWhite(canvas)
  return toSmallJpeg(canvas)
}
