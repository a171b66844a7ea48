import { Button } from '@mantine/core'
import {
  DUPLICATE_CHOICES,
  type DuplicateChoice,
  type DuplicateReason,
  type ImportDuplicate,
} from '@tatami/contract/import'
import { useState } from 'react'
import { pluralize } from '../lib/text.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './import-students.module.css'
import { nameOfRow, type ReviewProps } from './review.ts'

const LABELS: Record<DuplicateChoice, string> = {
  update: 'Fill in what is empty',
  skip: 'Leave out',
  add: 'Add anyway',
}
const CHOICES = DUPLICATE_CHOICES.map((value) => ({ value, label: LABELS[value] }))
const REASONS: Record<DuplicateReason, string> = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  birthday: 'birthday',
}
const MANY = 5

/** Who seems to be there already, in the dojo or further up in the sheet, with what becomes of the row. Who was left out can be taken back. */
export function Duplicates({ sheet, state, plan }: ReviewProps) {
  const [isAll, setIsAll] = useState(false)
  const skipped = Object.entries(state.choices).flatMap(([row, choice]) =>
    choice === 'skip' ? [Number(row)] : [],
  )
  const { duplicates } = plan
  if (duplicates.length === 0 && skipped.length === 0) return null
  const shown = isAll ? duplicates : duplicates.slice(0, MANY)
  const rows = duplicates.map(({ row }) => row)
  return (
    <Panel title="Here already">
      {duplicates.length > 0 && (
        <p className={styles.dim}>
          {duplicates.length === 1
            ? '1 row seems to be somebody whom you have.'
            : `${duplicates.length} rows seem to be people whom you have.`}
        </p>
      )}
      {duplicates.length > 1 && (
        <div className={styles.buttons}>
          {CHOICES.map(({ value, label }) => (
            <Button key={value} variant="default" onClick={() => sheet.setChoices(rows, value)}>
              {`All: ${label}`}
            </Button>
          ))}
        </div>
      )}
      <ul className={styles.duplicates}>
        {shown.map((duplicate) => (
          <li key={duplicate.row}>
            <span>
              <strong>{nameOfRow(duplicate.row, state)}</strong> {likeWhom(duplicate)}
            </span>
            <ChoiceBar
              label={`What becomes of ${nameOfRow(duplicate.row, state)}`}
              choices={CHOICES}
              value={duplicate.choice}
              onChange={(choice) => sheet.setChoices([duplicate.row], choice)}
            />
          </li>
        ))}
      </ul>
      {shown.length < duplicates.length && (
        <Button variant="default" onClick={() => setIsAll(true)}>
          {`Show all ${duplicates.length}`}
        </Button>
      )}
      {skipped.length > 0 && (
        <div className={styles.choiceRow}>
          <span>{`${pluralize(skipped.length, 'row')} left out by you`}</span>
          <Button variant="default" onClick={() => sheet.setChoices(skipped, null)}>
            Take them back
          </Button>
        </div>
      )}
    </Panel>
  )
}

const likeWhom = ({ name, same_as_row, reasons }: ImportDuplicate) =>
  `${same_as_row === null ? `is like ${name}` : `is like row ${same_as_row + 1}, ${name}`}: same ${new Intl.ListFormat('en').format(reasons.map((reason) => REASONS[reason]))}`
