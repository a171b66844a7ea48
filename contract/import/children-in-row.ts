import { cellText, normalizeText } from './values.ts'

type Table = { headings: string[]; rows: string[][] }

const NUMBERED_CHILD =
  /^(?:child|student|kid|athlete|participant|member)(?:['’]s)? ?#?([1-6])(?:['’]s)?\b[\s:_-]*(.*)$/i

/** "Child 2 DOB" has the number 2 and the detail "dob". */
function parseChildHeading(heading: string): { number: number; detail: string } | null {
  const [, digit, detail = ''] = NUMBERED_CHILD.exec(heading.trim().replaceAll('_', ' ')) ?? []
  return digit === undefined ? null : { number: Number(digit), detail: normalizeText(detail) }
}

/** Turns a row with "Child 1 Name" and "Child 2 Name" into a row for each child. */
export function splitChildren({ headings, rows }: Table): Table {
  const columns = headings.map(parseChildHeading)
  const childNumbers = [...new Set(columns.flatMap((column) => column?.number ?? []))].toSorted(
    (a, b) => a - b,
  )
  if (childNumbers.length < 2) return { headings, rows }
  const firstNumber = childNumbers[0]
  const isKeptColumn = columns.map((column) => column === null || column.number === firstNumber)
  const findCell = (cells: readonly string[], number: number, column: number) => {
    const detail = columns[column]?.detail
    if (detail === undefined) return cells[column] ?? ''
    const childColumn = columns.findIndex(
      (candidate) => candidate?.number === number && candidate.detail === detail,
    )
    return cells[childColumn] ?? ''
  }
  const keptColumns = headings.flatMap((_, column) => (isKeptColumn[column] ? [column] : []))
  return {
    headings: keptColumns.map((column) => headings[column] ?? ''),
    rows: rows.flatMap((cells) =>
      findChildNumbers(cells).map((number) =>
        keptColumns.map((column) => findCell(cells, number, column)),
      ),
    ),
  }

  /** A row without any child remains as one row. */
  function findChildNumbers(cells: readonly string[]): number[] {
    const children = childNumbers.filter((number) =>
      columns.some(
        (column, index) => column?.number === number && cellText(cells[index] ?? '') !== '',
      ),
    )
    return children.length > 0 ? children : childNumbers.slice(0, 1)
  }
}
