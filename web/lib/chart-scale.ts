const ROUND_NUMBERS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]

/** Rounds up to the next round number: 101 → 150. */
export function roundAxisMaximum(maximum: number): number {
  if (maximum <= 0) return 1
  const magnitude = 10 ** Math.floor(Math.log10(maximum))
  const roundMaximums = ROUND_NUMBERS.map((roundNumber) => roundNumber * magnitude)
  return roundMaximums.find((roundMaximum) => roundMaximum >= maximum) ?? maximum
}

/** For a chart with columns above and below a zero line. `unitHeight` is the height of the value 1.
 *  Both results are in the same unit as `height`. */
export function twoSidedScale(
  upperValues: readonly number[],
  lowerValues: readonly number[],
  height: number,
) {
  const upperMaximum = Math.max(1, ...upperValues)
  const lowerMaximum = Math.max(0, ...lowerValues)
  const unitHeight = height / (upperMaximum + lowerMaximum)
  return { zeroLineY: upperMaximum * unitHeight, unitHeight }
}

/** The position of one of `count` columns, in percent of the chart's width. `gap` is the space on
 *  each side of a column, as a share of the space that one column has. */
export function columnPosition(index: number, count: number, gap = 0.2) {
  const columnSpace = 100 / count
  return {
    left: `${(index + gap) * columnSpace}%`,
    width: `${(1 - 2 * gap) * columnSpace}%`,
    middle: `${(index + 0.5) * columnSpace}%`,
  }
}
