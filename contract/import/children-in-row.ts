import { cellText, fold } from './values.ts'

type Table = { headings: string[]; rows: string[][] }

const NUMBERED_CHILD =
  /^(?:child|student|kid|athlete|participant|member)(?:['’]s)? ?#?([1-6])(?:['’]s)?\b[\s:_-]*(.*)$/i

/** "Child 2 DOB" is the birthday ("DOB") of the second child in the row. */
function readNumber(heading: string): { number: number; part: string } | null {
  const [, digit, part = ''] = NUMBERED_CHILD.exec(heading.trim().replaceAll('_', ' ')) ?? []
  return digit === undefined ? null : { number: Number(digit), part: fold(part) }
}

/** A family with "Child 1 Name" and "Child 2 Name" in one row becomes a row for each child. */
export function splitChildren({ headings, rows }: Table): Table {
  const columns = headings.map(readNumber)
  const numbers = [...new Set(columns.flatMap((column) => column?.number ?? []))].toSorted(
    (a, b) => a - b,
  )
  if (numbers.length < 2) return { headings, rows }
  const firstNumber = numbers[0]
  const isKept = columns.map((column) => column === null || column.number === firstNumber)
  const cellOf = (cells: readonly string[], number: number, column: number) => {
    const part = columns[column]?.part
    if (part === undefined) return cells[column] ?? ''
    const source = columns.findIndex(
      (candidate) => candidate?.number === number && candidate.part === part,
    )
    return cells[source] ?? ''
  }
  const keptColumns = headings.flatMap((_, column) => (isKept[column] ? [column] : []))
  return {
    headings: keptColumns.map((column) => headings[column] ?? ''),
    rows: rows.flatMap((cells) =>
      childrenIn(cells).map((number) => keptColumns.map((column) => cellOf(cells, number, column))),
    ),
  }

  /** A row without any child stays one row. */
  function childrenIn(cells: readonly string[]): number[] {
    const children = numbers.filter((number) =>
      columns.some(
        (column, index) => column?.number === number && cellText(cells[index] ?? '') !== '',
      ),
    )
    return children.length > 0 ? children : numbers.slice(0, 1)
  }
}
