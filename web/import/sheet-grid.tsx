import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ImportRemark } from '@tatami/contract/import/import-plan'
import { type KeyboardEvent, memo, useId, useState } from 'react'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { ColumnSelect, getColumnHeading } from './column-choices.tsx'
import styles from './import-students.module.css'
import { findColumn, getRowName, type ReviewProps, useRemarkedCells } from './review.ts'
import type { ImportSheet } from './use-import-sheet.ts'
import kit from '../ui/kit.module.css'

const FIRST_ROWS = 25
const MORE_ROWS = 100

type RowFilter = 'problems' | 'notices' | 'all'

export function SheetGrid({ sheet, state, plan }: ReviewProps) {
  const { rows } = state.sheet
  const problems = Map.groupBy(plan.problems, ({ row }) => row)
  const notices = Map.groupBy(plan.notices, ({ row }) => row)
  const [selectedFilter, setSelectedFilter] = useState<RowFilter | null>(null)
  const problemCells = useRemarkedCells(plan.problems)
  const noticeCells = useRemarkedCells(plan.notices)
  const defaultFilter = noticeCells.size > 0 ? 'notices' : 'all'
  const filter = selectedFilter ?? (problemCells.size > 0 ? 'problems' : defaultFilter)
  const [limit, setLimit] = useState(FIRST_ROWS)
  const headingId = useId()
  const keptRows = rows.map((_, row) => row).filter((row) => state.duplicateChoices[row] !== 'skip')
  const rowsByFilter = {
    problems: keptRows.filter((row) => problemCells.has(row)),
    notices: keptRows.filter((row) => noticeCells.has(row)),
    all: keptRows,
  }
  const choices = [
    { value: 'problems' as const, label: `Needs fixing (${problems.size})` },
    { value: 'notices' as const, label: `Adjusted (${notices.size})` },
    { value: 'all' as const, label: `All rows (${keptRows.length})` },
  ].filter(({ value }) => value === 'all' || rowsByFilter[value].length > 0 || value === filter)
  return (
    <section aria-labelledby={headingId} className={styles.gridSection}>
      <div className={`${kit.spread} ${styles.choiceRow}`}>
        <h2 id={headingId}>Your sheet</h2>
        {choices.length > 1 && (
          <ChoiceBar label="Rows" choices={choices} value={filter} onChange={setSelectedFilter} />
        )}
      </div>
      <div className={`${kit.card} ${styles.scroller}`}>
        <table className={styles.grid}>
          <GridHead sheet={sheet} state={state} />
          <tbody>
            {rowsByFilter[filter].slice(0, limit).map((row) => (
              <GridRow
                key={row}
                {...{ sheet, state, row }}
                problems={problems.get(row) ?? []}
                notices={notices.get(row) ?? []}
              />
            ))}
          </tbody>
        </table>
      </div>
      {rowsByFilter[filter].length > limit && (
        <Button variant="default" onClick={() => setLimit(limit + MORE_ROWS)}>
          Show more rows
        </Button>
      )}
    </section>
  )
}

type HeadProps = Omit<ReviewProps, 'plan'>

const GridHead = ({ sheet, state }: HeadProps) => (
  <thead>
    <tr>
      <th scope="col">Row</th>
      {state.sheet.fields.map((field, column) => (
        <th key={column} scope="col" data-unused={field === null}>
          {getColumnHeading(state, column)}
          <ColumnSelect sheet={sheet} state={state} column={column} isInHeading />
        </th>
      ))}
      <th scope="col">
        <VisuallyHidden>Skip</VisuallyHidden>
      </th>
    </tr>
  </thead>
)

type RowProps = HeadProps & {
  row: number
  problems: ImportRemark[]
  notices: ImportRemark[]
}

function GridRow({ sheet, state, row, problems, notices }: RowProps) {
  const { rows, fields } = state.sheet
  const findMessage = (column: number, remarks: ImportRemark[]) =>
    remarks.find(
      ({ field }) => field === fields[column] && findColumn(row, field, state) === column,
    )?.message
  return (
    <tr>
      <th scope="row">{row + 1}</th>
      {fields.map((field, column) => (
        <Cell
          key={column}
          {...{ sheet, row, column }}
          text={rows[row]?.[column] ?? ''}
          label={`${getColumnHeading(state, column)} of row ${row + 1}`}
          isUsed={field !== null}
          problem={findMessage(column, problems)}
          notice={findMessage(column, notices)}
        />
      ))}
      <td>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Skip ${getRowName(row, state)}`}
          onClick={() => sheet.setChoices([row], 'skip')}
        >
          <IconX size={18} />
        </ActionIcon>
      </td>
    </tr>
  )
}

function moveByRow(event: KeyboardEvent<HTMLInputElement>) {
  const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key]
  if (step === undefined) return
  const cell = event.currentTarget
  const tableCell = cell.closest('td')
  const row = tableCell?.parentElement
  if (!tableCell || !row) return
  const nextRow = step > 0 ? row.nextElementSibling : row.previousElementSibling
  const input = nextRow?.children[[...row.children].indexOf(tableCell)]?.querySelector('input')
  event.preventDefault()
  if (input) input.focus()
  else cell.blur()
}

type CellProps = {
  sheet: ImportSheet
  row: number
  column: number
  text: string
  label: string
  isUsed: boolean
  problem: string | undefined
  notice: string | undefined
}

const Cell = memo(function Cell(props: CellProps) {
  const { sheet, row, column, text, label, isUsed, problem, notice } = props
  const id = useId()
  const remark = problem ?? notice
  return (
    <td data-unused={!isUsed} data-wrong={problem !== undefined}>
      <input
        key={text}
        defaultValue={text}
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={remark ? id : undefined}
        disabled={!isUsed}
        onKeyDown={moveByRow}
        onChange={({ currentTarget: { value } }) => sheet.typeCell(row, column, value)}
        onBlur={({ currentTarget: { value } }) =>
          value !== text && sheet.setCell(row, column, value)
        }
      />
      {remark && (
        <span id={id} className={problem ? styles.problem : styles.notice}>
          {remark}
        </span>
      )}
    </td>
  )
})
