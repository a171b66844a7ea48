import { Button, TextInput } from '@mantine/core'
import type { ImportRemark } from '@tatami/contract/import/import-plan'
import type { ImportField } from '@tatami/contract/import/import-fields'
import { type ReactNode, useState } from 'react'
import { pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { getFieldLabel } from './field-labels.ts'
import styles from './import-students.module.css'
import { findColumn, getRowName, type ReviewProps, useRemarkedCells } from './review.ts'

const FIRST_PROBLEMS = 20
const FIRST_NOTICES = 5

export function RowCards(props: ReviewProps) {
  const { sheet, state, plan } = props
  const problemCells = useRemarkedCells(plan.problems)
  const noticeCells = useRemarkedCells(plan.notices)
  const problemCount = new Set(plan.problems.map(({ row }) => row)).size
  const isKept = (row: number) => state.duplicateChoices[row] !== 'skip'
  const problemRows = [...problemCells.keys()].filter(isKept)
  const noticeRows = [...noticeCells.keys()].filter((row) => isKept(row) && !problemCells.has(row))
  const listFields = (row: number) => [
    ...new Set([...(problemCells.get(row) ?? []), ...(noticeCells.get(row) ?? [])]),
  ]
  return (
    <>
      {problemRows.length > 0 && (
        <CardList
          title={problemCount === 0 ? 'All rows are fixed' : `Needs fixing (${problemCount})`}
          rows={problemRows}
          initialCount={FIRST_PROBLEMS}
        >
          {(row) => (
            <RowCard key={row} {...props} row={row} fields={listFields(row)}>
              <Button
                variant="default"
                aria-label={`Skip ${getRowName(row, state)}`}
                onClick={() => sheet.setChoices([row], 'skip')}
              >
                Skip
              </Button>
            </RowCard>
          )}
        </CardList>
      )}
      {noticeRows.length > 0 && (
        <CardList
          title={`${pluralize(noticeRows.length, 'row')} adjusted`}
          rows={noticeRows}
          initialCount={FIRST_NOTICES}
        >
          {(row) => <RowCard key={row} {...props} row={row} fields={listFields(row)} />}
        </CardList>
      )}
    </>
  )
}

type ListProps = {
  title: string
  rows: number[]
  initialCount: number
  children: (row: number) => ReactNode
}

function CardList({ title, rows, initialCount, children }: ListProps) {
  const [limit, setLimit] = useState(initialCount)
  return (
    <Panel title={title}>
      <ul className={styles.cards}>{rows.slice(0, limit).map(children)}</ul>
      {rows.length > limit && (
        <Button variant="default" onClick={() => setLimit(limit + FIRST_PROBLEMS)}>
          Show more
        </Button>
      )}
    </Panel>
  )
}

type CardProps = ReviewProps & { row: number; fields: ImportField[]; children?: ReactNode }

const RowCard = ({ sheet, state, plan, row, fields, children }: CardProps) => {
  const findMessage = (remarks: ImportRemark[], field: ImportField) =>
    remarks.find((remark) => remark.row === row && remark.field === field)?.message
  return (
    <li className={styles.card}>
      <strong>{getRowName(row, state)}</strong>
      {fields.map((field) => {
        const problem = findMessage(plan.problems, field)
        const column = findColumn(row, field, state)
        const cell = state.sheet.rows[row]?.[column] ?? ''
        return (
          <TextInput
            key={`${field} ${cell}`}
            label={getFieldLabel(field)}
            error={problem}
            description={
              problem === undefined ? (findMessage(plan.notices, field) ?? 'Fixed') : undefined
            }
            defaultValue={cell}
            disabled={column < 0}
            onChange={({ currentTarget: { value } }) => sheet.typeCell(row, column, value)}
            onBlur={({ currentTarget: { value } }) =>
              value !== cell && sheet.setCell(row, column, value)
            }
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        )
      })}
      {children}
    </li>
  )
}
