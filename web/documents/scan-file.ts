const MAX_SIDE_PIXELS = 1800
const MAX_BASE64_LENGTH = 800_000
const QUALITIES = [0.8, 0.6, 0.4, 0.25]

/** Shrinks a photo of a paper so that it can still be read, and returns a JPEG in base64. */
export async function readScan(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const pictures = QUALITIES.map((quality) => toBase64(canvas, quality))
  return pictures.find((picture) => picture.length <= MAX_BASE64_LENGTH) ?? pictures.at(-1) ?? ''
}

const toBase64 = (canvas: HTMLCanvasElement, quality: number) =>
  canvas.toDataURL('image/jpeg', quality).replace(/^data:[^,]*,/, '')
