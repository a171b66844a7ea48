import { NativeSelect } from '@mantine/core'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { BLANK_STATUS, statusKey } from '@tatami/contract/import/presence'
import type { Status } from '@tatami/contract/import/status'
import { pluralize } from '../lib/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import type { ImportState } from './import-state.ts'
import type { ImportSheet } from './use-import-sheet.ts'
import kit from '../ui/kit.module.css'

type StatusInSheet = ImportPlan['statuses_in_sheet'][number]

const NO_MEANING = { value: '', label: 'Please choose' }
const MEANINGS: { value: Status; label: string }[] = [
  { value: 'active', label: 'Trains here' },
  { value: 'trial', label: 'On trial' },
  { value: 'vacation', label: 'On vacation' },
  { value: 'left', label: 'Left or never trained: skip' },
]

export function StatusChoices({ sheet, state, plan }: ReviewProps) {
  const isUnclear = ({ status, means }: StatusInSheet) =>
    means === null || statusKey(status) in state.statuses
  const unclearStatuses = plan.statuses_in_sheet.filter(isUnclear)
  const clearStatuses = plan.statuses_in_sheet.filter((status) => !isUnclear(status))
  if (unclearStatuses.length === 0 && clearStatuses.every(({ means }) => means === 'active'))
    return null
  return (
    <Panel title="What the statuses mean">
      {unclearStatuses.length > 0 && (
        <p className={kit.muted}>Please tell us what these mean. Until then, we skip their rows.</p>
      )}
      <StatusList sheet={sheet} state={state} statuses={unclearStatuses} />
      {unclearStatuses.length > 0 && clearStatuses.length > 0 ? (
        <Disclosure summary="The other statuses">
          <StatusList sheet={sheet} state={state} statuses={clearStatuses} />
        </Disclosure>
      ) : (
        <StatusList sheet={sheet} state={state} statuses={clearStatuses} />
      )}
    </Panel>
  )
}

type ListProps = { sheet: ImportSheet; state: ImportState; statuses: StatusInSheet[] }

const StatusList = ({ sheet, state, statuses }: ListProps) =>
  statuses.length > 0 && (
    <ul className={styles.fields}>
      {statuses.map(({ status, rows, means }) => {
        const meaning = state.statuses[statusKey(status)] ?? means ?? ''
        const title = status === BLANK_STATUS ? 'Blank' : `“${status}”`
        return (
          <li key={status}>
            <NativeSelect
              label={`${title} (${pluralize(rows, 'row')})`}
              value={meaning}
              data={[...(meaning === '' ? [NO_MEANING] : []), ...MEANINGS]}
              onChange={({ currentTarget }) => {
                const newMeaning = MEANINGS.find(({ value }) => value === currentTarget.value)
                if (newMeaning) sheet.setStatus(status, newMeaning.value)
              }}
            />
          </li>
        )
      })}
    </ul>
  )
