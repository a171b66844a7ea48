import { parseHeading } from './heading-fields.ts'
import { normalizeText } from './values.ts'

const LONGEST_HEADING = 60

const countFields = (headings: readonly string[]): number =>
  new Set(
    headings
      .filter((heading) => heading.length <= LONGEST_HEADING)
      .map(parseHeading)
      .filter(Boolean),
  ).size

/** A cell that spans both rows has the same text twice. */
const joinCells = (first: string, second: string): string =>
  normalizeText(first) === normalizeText(second) ? first : `${first.trim()} ${second.trim()}`.trim()

const joinRows = (first: readonly string[], second: readonly string[]): string[] =>
  first.map((cell, column) => joinCells(cell, second[column] ?? ''))

export type HeadingRows = { headings: string[]; lastRow: number }

/** Joins headings that are split over two rows, such as "Date of" above "Birth". Returns null if
 *  the joined headings name no more fields than one row does. `headingRow` is either of the two
 *  rows. */
export function joinSplitHeadings(
  rows: readonly (readonly string[])[],
  headingRow: number,
): HeadingRows | null {
  const headings = rows[headingRow]
  if (!headings) return null
  const knownCount = countFields(headings)
  for (const lastRow of [headingRow, headingRow + 1]) {
    const [upperRow, lowerRow] = [rows[lastRow - 1], rows[lastRow]]
    if (!upperRow || !lowerRow) continue
    const joinedHeadings = joinRows(upperRow, lowerRow)
    if (countFields(joinedHeadings) > knownCount) return { headings: joinedHeadings, lastRow }
  }
  return null
}

const LOOKS_LIKE_DATA = /[\d@]/
const DATA_SHARE = 0.7

/** True if the first row seems to hold unknown headings, because numbers or emails are below it. */
export function hasUnknownHeadings(rows: readonly (readonly string[])[]): boolean {
  const [firstRow = [], ...otherRows] = rows
  if (otherRows.length === 0 || firstRow.some((cell) => LOOKS_LIKE_DATA.test(cell))) return false
  return firstRow.some((heading, column) => {
    const texts = otherRows.map((row) => row[column] ?? '').filter((text) => text.trim() !== '')
    const dataCount = texts.filter((text) => LOOKS_LIKE_DATA.test(text)).length
    return heading.trim() !== '' && texts.length > 0 && dataCount >= texts.length * DATA_SHARE
  })
}
