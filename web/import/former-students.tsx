import { NativeSelect } from '@mantine/core'
import { formatDate } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './import-students.module.css'
import { getRowName, type ReviewProps } from './review.ts'
import type { ImportState } from './import-state.ts'
import type { LeftRowMeaning } from './sheet-changes.ts'
import kit from '../ui/kit.module.css'

const CHOICES: { value: 'skip' | 'former'; label: string }[] = [
  { value: 'skip', label: 'Skip them' },
  { value: 'former', label: 'Import as former students' },
]
const MEANINGS: { value: LeftRowMeaning; label: string }[] = [
  { value: 'skip', label: 'Skip' },
  { value: 'former', label: 'Former student' },
  { value: 'trains', label: 'Trains here' },
]

/** Asks once about everybody who left, or about each person. */
export function FormerStudents({ sheet, state, plan }: ReviewProps) {
  const leftRows = plan.left_out_rows.filter(({ kind }) => kind === 'left')
  const rows = leftRows.map(({ row }) => row)
  if (rows.length === 0) return null
  return (
    <Panel title="People who left">
      <p className={kit.muted}>
        Your sheet says that {pluralize(rows.length, 'person', 'people')} left. Former students keep
        their history, but they aren’t on your lists and get no texts or invitations.
      </p>
      <AssumedLastDays days={leftRows.flatMap(({ assumed_last_day }) => assumed_last_day ?? [])} />
      <ChoiceBar
        label="People who left"
        choices={CHOICES}
        value={findCommonMeaning(rows, state)}
        onChange={(meaning) => sheet.setLeftRows(rows, meaning)}
      />
      <Disclosure summary="Choose for each person">
        <ul className={styles.fields}>
          {leftRows.map(({ row, words }) => (
            <li key={row}>
              <NativeSelect
                label={getRowName(row, state)}
                description={words ?? undefined}
                value={findMeaning(row, state)}
                data={MEANINGS}
                onChange={({ currentTarget }) => {
                  const meaning = MEANINGS.find(({ value }) => value === currentTarget.value)
                  if (meaning) sheet.setLeftRows([row], meaning.value)
                }}
              />
            </li>
          ))}
        </ul>
      </Disclosure>
    </Panel>
  )
}

/** Says which last day former students get if the sheet has none. */
function AssumedLastDays({ days }: { days: readonly string[] }) {
  const sortedDays = days.toSorted()
  const [firstDay] = sortedDays
  const lastDay = sortedDays.at(-1)
  if (firstDay === undefined || lastDay === undefined) return null
  const people = pluralize(days.length, 'person', 'people')
  const assumedDay =
    firstDay === lastDay
      ? formatDate(firstDay)
      : `a day from ${formatDate(firstDay)} to ${formatDate(lastDay)}`
  return (
    <p className={kit.muted}>
      Your sheet doesn’t say when {people} left. Former students get {assumedDay} as their last day:
      a year ago, or the day they joined if that is later.
    </p>
  )
}

function findMeaning(row: number, { includedRows, formerRows }: ImportState): LeftRowMeaning {
  if (includedRows.includes(row)) return 'trains'
  return formerRows.includes(row) ? 'former' : 'skip'
}

/** The answer that all rows have. Empty if the answers differ. */
function findCommonMeaning(rows: readonly number[], state: ImportState): 'skip' | 'former' | '' {
  const [meaning, otherMeaning] = [...new Set(rows.map((row) => findMeaning(row, state)))]
  if (otherMeaning !== undefined || meaning === undefined || meaning === 'trains') return ''
  return meaning
}
