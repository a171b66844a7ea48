import { Checkbox } from '@mantine/core'
import type { LeftOutRow } from '@tatami/contract/import/import-plan'
import { joinNonEmpty } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { FoldedList } from './folded-list.tsx'
import styles from './import-students.module.css'
import { getRowName, type ReviewProps } from './review.ts'
import kit from '../ui/kit.module.css'

const FIRST_ROWS = 10

/** Headings, totals and people who aren't students are skipped unless they are checked. */
export function LeftOutRows({ sheet, state, plan }: ReviewProps) {
  const rows = plan.left_out_rows.filter(({ kind }) => kind !== 'left')
  if (rows.length === 0) return null
  return (
    <Panel title="Skipped">
      <p className={kit.muted}>
        These rows don’t look like students. Check anyone you want to import.
      </p>
      <FoldedList items={rows} initialCount={FIRST_ROWS} className={styles.fields}>
        {(leftOutRow) => (
          <li key={leftOutRow.row}>
            <Checkbox
              label={getRowName(leftOutRow.row, state)}
              description={describeReason(leftOutRow)}
              checked={state.includedRows.includes(leftOutRow.row)}
              onChange={({ currentTarget }) =>
                sheet.setIncluded([leftOutRow.row], currentTarget.checked)
              }
            />
          </li>
        )}
      </FoldedList>
    </Panel>
  )
}

function describeReason({ kind, words }: LeftOutRow): string {
  if (kind === 'heading') return 'Looks like a heading'
  if (kind === 'total') return 'Looks like a total'
  if (kind === 'never') return joinNonEmpty(['Never trained', words ?? ''])
  return words ?? 'Not a student'
}
