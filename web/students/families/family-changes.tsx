import { Title } from '@mantine/core'
import { familiesApi, type FamilyChange } from '@tatami/contract/families'
import { errorMessage } from '../../lib/api.ts'
import { formatInstantDate } from '../../lib/dates.ts'
import { useEndpointMutation, useRetryingQuery } from '../../lib/query.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import styles from './families-view.module.css'
import { changesQuery, useRefreshFamilies } from './use-families.ts'

const list = new Intl.ListFormat('en')

/** The families made of existing students that can still be undone. */
export function FamilyChanges() {
  const { data = [] } = useRetryingQuery(changesQuery)
  if (data.length === 0) return null
  return (
    <section className={styles.panel} aria-labelledby="family-changes">
      <Title order={2} id="family-changes">
        Families made lately
      </Title>
      <ul className={styles.rows}>
        {data.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ul>
    </section>
  )
}

function Change({ change }: { change: FamilyChange }) {
  const refresh = useRefreshFamilies()
  const undo = useEndpointMutation(familiesApi.undo, { onSuccess: refresh })
  return (
    <li>
      <span className={styles.what}>
        <span className={styles.names}>{change.guardian_name}</span>
        <span className={styles.dim}>
          {list.format(change.students.map(({ name }) => name))} · can be undone until {formatInstantDate(change.undo_until)}
        </span>
      </span>
      <BusyButton
        variant="default"
        aria-label={`Undo the family of ${change.guardian_name}`}
        busy={undo.isPending}
        busyLabel="Undoing..."
        onClick={() => undo.mutate({ params: { id: change.id } })}
      >
        Undo
      </BusyButton>
      <ErrorNotice>{undo.isError && errorMessage(undo.error, 'This could not be undone.')}</ErrorNotice>
    </li>
  )
}
