const toLinearLight = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

/** The relative luminance of a color such as "#1e3a8a": 0 for black, 1 for white.
 *  See https://www.w3.org/TR/WCAG21/#dfn-relative-luminance */
export function luminance(color: string): number {
  const [redLight = 0, greenLight = 0, blueLight = 0] = [1, 3, 5].map((start) =>
    toLinearLight(Number.parseInt(color.slice(start, start + 2), 16) / 255),
  )
  return 0.2126 * redLight + 0.7152 * greenLight + 0.0722 * blueLight
}

/** The contrast ratio of two colors: 1 for equal colors, 21 for black and white.
 *  See https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio */
export function contrastBetween(firstColor: string, secondColor: string): number {
  const [darker = 0, lighter = 0] = [luminance(firstColor), luminance(secondColor)].toSorted(
    (a, b) => a - b,
  )
  return (lighter + 0.05) / (darker + 0.05)
}

/** Graphics need a contrast of 3:1 (WCAG 1.4.11). */
const MIN_CONTRAST = 3
/** Receipts and certificates are on white paper. */
export const isVisibleOnWhite = (color: string): boolean =>
  contrastBetween(color, '#ffffff') >= MIN_CONTRAST
