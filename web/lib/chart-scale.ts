const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]

/** The next round number: 101 → 150. */
export function roundAxisMaximum(largest: number): number {
  if (largest <= 0) return 1
  const magnitude = 10 ** Math.floor(Math.log10(largest))
  return STEPS.map((step) => step * magnitude).find((top) => top >= largest) ?? largest
}

/** Pixels of a two-sided chart: `line` from the top to the zero line, `unit` for a value of 1. */
export function twoSidedScale(
  upperValues: readonly number[],
  lowerValues: readonly number[],
  height: number,
) {
  const highest = Math.max(1, ...upperValues)
  const lowest = Math.max(0, ...lowerValues)
  const unit = height / (highest + lowest)
  return { line: highest * unit, unit }
}

/** The position of a column in percent of the width, with a gap at both sides. */
export function columnPosition(index: number, count: number, gap = 0.2) {
  const width = 100 / count
  return {
    left: `${(index + gap) * width}%`,
    width: `${(1 - 2 * gap) * width}%`,
    middle: `${(index + 0.5) * width}%`,
  }
}
