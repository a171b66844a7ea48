import { Button, TextInput } from '@mantine/core'
import type { ImportField } from '@tatami/contract/import-columns'
import { useState } from 'react'
import { pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { labelOfField } from './field-labels.ts'
import styles from './import-students.module.css'
import { nameOfRow, type ReviewProps, useCellsToMend } from './review.ts'

const MANY = 20

/** On a phone: the rows with problems only, a card for each. */
export function RowCards({ sheet, state, plan }: ReviewProps) {
  const [limit, setLimit] = useState(MANY)
  const cells = useCellsToMend(plan.problems)
  const byRow = [...cells].filter(([row]) => state.choices[row] !== 'skip')
  const left = new Set(plan.problems.map(({ row }) => row)).size
  if (byRow.length === 0) return null
  return (
    <Panel title={left === 0 ? 'All rows are mended' : `${pluralize(left, 'row')} to mend`}>
      <ul className={styles.cards}>
        {byRow.slice(0, limit).map(([row, fields]) => (
          <RowCard key={row} {...{ sheet, state, plan, row, fields }} />
        ))}
      </ul>
      {byRow.length > limit && (
        <Button variant="default" onClick={() => setLimit(limit + MANY)}>
          Show more
        </Button>
      )}
    </Panel>
  )
}

type CardProps = ReviewProps & { row: number; fields: Set<ImportField> }

const RowCard = ({ sheet, state, plan, row, fields }: CardProps) => {
  const name = nameOfRow(row, state)
  return (
    <li className={styles.card}>
      <strong>{name}</strong>
      {[...fields].map((field) => {
        const message = plan.problems.find((problem) => problem.row === row && problem.field === field)?.message
        const column = state.sheet.fields.indexOf(field)
        const cell = state.sheet.rows[row]?.[column] ?? ''
        return (
          <TextInput
            // What is typed is looked at once it is done.
            key={`${field} ${cell}`}
            label={labelOfField(field)}
            error={message}
            description={message === undefined ? 'Mended' : undefined}
            defaultValue={cell}
            disabled={column < 0}
            onBlur={({ currentTarget: { value } }) => value !== cell && sheet.setCell(row, column, value)}
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        )
      })}
      <Button variant="default" aria-label={`Leave out ${name}`} onClick={() => sheet.setChoices([row], 'skip')}>
        Leave out
      </Button>
    </li>
  )
}
