type Size = { width: number; height: number }
/** The middle of the square in parts of the picture's sides, and how far it is enlarged. */
export type Crop = { x: number; y: number; zoom: number }

export const WHOLE_PICTURE: Crop = { x: 0.5, y: 0.5, zoom: 1 }
export const MAX_ZOOM = 4

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

/** The square in pixels of the picture. */
export function squareOf({ width, height }: Size, { x, y, zoom }: Crop) {
  const side = Math.min(width, height) / zoom
  return { left: x * width - side / 2, top: y * height - side / 2, side }
}

/** Keeps the square within the picture. */
export function clampCrop(size: Size, { x, y, zoom }: Crop): Crop {
  const { side } = squareOf(size, { x, y, zoom })
  const halfWidth = side / 2 / size.width
  const halfHeight = side / 2 / size.height
  return {
    x: clamp(x, halfWidth, 1 - halfWidth),
    y: clamp(y, halfHeight, 1 - halfHeight),
    zoom,
  }
}

/** Moves the picture under the square, by parts of the square's side. */
export function moveCrop(size: Size, crop: Crop, shiftX: number, shiftY: number): Crop {
  const { side } = squareOf(size, crop)
  return clampCrop(size, {
    ...crop,
    x: crop.x - (shiftX * side) / size.width,
    y: crop.y - (shiftY * side) / size.height,
  })
}
