import { describe, expect, test } from 'vitest'
import { clampCrop, moveCrop, squareOf, WHOLE_PICTURE } from './crop.ts'

const LANDSCAPE = { width: 400, height: 200 }

describe('the square of a picture', () => {
  test('is as large as possible in the middle at first', () => {
    expect(squareOf(LANDSCAPE, WHOLE_PICTURE)).toEqual({ left: 100, top: 0, side: 200 })
  })

  test('is smaller if the picture is enlarged', () => {
    expect(squareOf(LANDSCAPE, { x: 0.5, y: 0.5, zoom: 2 })).toEqual({
      left: 150,
      top: 50,
      side: 100,
    })
  })

  test('moves to the left if the picture is moved to the right', () => {
    expect(squareOf(LANDSCAPE, moveCrop(LANDSCAPE, WHOLE_PICTURE, 0.25, 0)).left).toBe(50)
  })

  test('stays within the picture', () => {
    expect(squareOf(LANDSCAPE, moveCrop(LANDSCAPE, WHOLE_PICTURE, 3, 3))).toEqual({
      left: 0,
      top: 0,
      side: 200,
    })
    expect(squareOf(LANDSCAPE, moveCrop(LANDSCAPE, WHOLE_PICTURE, -3, -3)).left).toBe(200)
  })

  test('stays within the picture when it grows at the edge', () => {
    const cornerCrop = moveCrop(LANDSCAPE, { x: 0.5, y: 0.5, zoom: 4 }, 9, 9)
    expect(squareOf(LANDSCAPE, clampCrop(LANDSCAPE, { ...cornerCrop, zoom: 1 }))).toEqual({
      left: 0,
      top: 0,
      side: 200,
    })
  })
})
