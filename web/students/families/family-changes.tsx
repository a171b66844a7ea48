import { Title } from '@mantine/core'
import { familiesApi, type FamilyChange } from '@tatami/contract/families'
import { errorMessage } from '../../lib/api.ts'
import { formatInstantDate } from '../../lib/dates.ts'
import { useEndpointMutation, useRetryingQuery } from '../../lib/query.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { StudentLinks } from '../../ui/student-link.tsx'
import { ActionRow, ActionRows } from '../action-rows.tsx'
import styles from './families-view.module.css'
import { changesQuery, useRefreshFamilies } from './use-families.ts'

/** The families made of existing students that can still be undone. */
export function FamilyChanges() {
  const { data = [] } = useRetryingQuery(changesQuery)
  if (data.length === 0) return null
  return (
    <section className={styles.panel} aria-labelledby="family-changes">
      <Title order={2} id="family-changes">
        Families made lately
      </Title>
      <ActionRows>
        {data.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ActionRows>
    </section>
  )
}

function Change({ change }: { change: FamilyChange }) {
  const refresh = useRefreshFamilies()
  const undo = useEndpointMutation(familiesApi.undo, { onSuccess: refresh })
  return (
    <ActionRow
      name={change.guardian_name}
      about={[
        <>
          <StudentLinks students={change.students} as="sentence" /> · can be undone until {formatInstantDate(change.undo_until)}
        </>,
      ]}
      actions={
        <BusyButton
          variant="default"
          aria-label={`Undo the family of ${change.guardian_name}`}
          busy={undo.isPending}
          busyLabel="Undoing..."
          onClick={() => undo.mutate({ params: { id: change.id } })}
        >
          Undo
        </BusyButton>
      }
      error={undo.isError && errorMessage(undo.error, 'This could not be undone.')}
    />
  )
}
