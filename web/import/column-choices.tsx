import { NativeSelect } from '@mantine/core'
import { IMPORT_FIELDS } from '@tatami/contract/import/import-fields'
import { Disclosure } from '../ui/disclosure.tsx'
import { FIELD_OPTIONS } from './field-labels.ts'
import styles from './import-students.module.css'
import type { ImportState } from './import-state.ts'
import type { ImportSheet } from './use-import-sheet.ts'

type Props = { sheet: ImportSheet; state: ImportState }

export const getColumnHeading = ({ sheet: { headings } }: ImportState, column: number) =>
  headings[column] || `Column ${column + 1}`

export function ColumnChoices({ sheet, state }: Props) {
  const { fields, rows } = state.sheet
  const usedCount = fields.filter((field) => field !== null).length
  return (
    <Disclosure summary={`${usedCount} of ${fields.length} columns used`}>
      <ul className={styles.fields}>
        {fields.map((_, column) => (
          <li key={column}>
            <ColumnSelect
              sheet={sheet}
              state={state}
              column={column}
              description={rows.find((row) => row[column] !== '')?.[column]?.slice(0, 40)}
            />
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

type SelectProps = Props & {
  column: number
  description?: string | undefined
  isInHeading?: boolean
}

export const ColumnSelect = ({
  sheet,
  state,
  column,
  description,
  isInHeading = false,
}: SelectProps) => (
  <NativeSelect
    size={isInHeading ? 'sm' : 'md'}
    {...(isInHeading
      ? { 'aria-label': `Meaning of ${getColumnHeading(state, column)}` }
      : { label: getColumnHeading(state, column), description })}
    value={state.sheet.fields[column] ?? ''}
    data={FIELD_OPTIONS}
    onChange={({ currentTarget: { value } }) =>
      sheet.setField(column, IMPORT_FIELDS.find((field) => field === value) ?? null)
    }
  />
)
