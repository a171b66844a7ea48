import { Button, Checkbox } from '@mantine/core'
import { hasNameColumn } from '@tatami/contract/import/sheet'
import { useLayout } from '../lib/layout-link.tsx'
import { Panel } from '../ui/panel.tsx'
import { ColumnSelect, getColumnHeading } from './column-choices.tsx'
import styles from './import-students.module.css'
import type { ImportState } from './import-state.ts'
import type { ImportSheet } from './use-import-sheet.ts'
import kit from '../ui/kit.module.css'

const SAMPLE_ROWS = 5
const MAX_SAMPLE_LENGTH = 40

type Props = { sheet: ImportSheet; state: ImportState; onDone: () => void }

/** Shown if we cannot tell which column has the names, so that no sheet is a dead end. */
export function ColumnMeanings({ sheet, state, onDone }: Props) {
  const { headings } = state.sheet
  const hasHeadings = headings.some((heading) => heading !== '')
  const isDesktop = useLayout() === 'desktop'
  const Columns = isDesktop ? ColumnTable : ColumnList
  return (
    <Panel title="What is in each column?">
      <p>We couldn’t tell which column has the names. Choose it, and any others you want.</p>
      <Checkbox
        label="The first row has headings, not a student"
        checked={hasHeadings}
        onChange={({ currentTarget }) => sheet.setFirstRowIsHeadings(currentTarget.checked)}
      />
      <Columns sheet={sheet} state={state} />
      <div className={kit.row}>
        <Button disabled={!hasNameColumn(state.sheet)} onClick={onDone}>
          Continue
        </Button>
      </div>
    </Panel>
  )
}

type ColumnsProps = Pick<Props, 'sheet' | 'state'>

const ColumnTable = ({ sheet, state }: ColumnsProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It may scroll.
  <div className={styles.scroller} role="region" aria-label="The first rows" tabIndex={0}>
    <table className={styles.grid}>
      <thead>
        <tr>
          {state.sheet.fields.map((_, column) => (
            <th key={column} scope="col">
              {getColumnHeading(state, column)}
              <ColumnSelect sheet={sheet} state={state} column={column} isInHeading />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {state.sheet.rows.slice(0, SAMPLE_ROWS).map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) => (
              <td key={column} className={styles.sampleCell}>
                {cell.slice(0, MAX_SAMPLE_LENGTH)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const ColumnList = ({ sheet, state }: ColumnsProps) => (
  <ul className={styles.fields}>
    {state.sheet.fields.map((_, column) => (
      <li key={column}>
        <ColumnSelect
          sheet={sheet}
          state={state}
          column={column}
          description={listSamples(state, column)}
        />
      </li>
    ))}
  </ul>
)

const listSamples = ({ sheet: { rows } }: ImportState, column: number): string =>
  rows
    .slice(0, SAMPLE_ROWS)
    .map((row) => row[column] ?? '')
    .filter((cell) => cell.trim() !== '')
    .map((cell) => cell.slice(0, MAX_SAMPLE_LENGTH))
    .join(', ')
