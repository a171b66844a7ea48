import { familiesApi } from '@tatami/contract/families'
import { type Guardianship, UNDO_DAYS } from '@tatami/contract/guardians'
import { errorMessage } from '../lib/api.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import rows from '../ui/rows.module.css'
import { useRefreshFamilies } from './families/use-families.ts'
import styles from './student-guardians.module.css'

type Props = { studentId: string; links: readonly Pick<Guardianship, 'log_in_closed_at'>[] }

/** That the student's own log-in was closed in favour of a guardian's, with the way to open it again while there is one. */
export function ClosedLogIn({ studentId, links }: Props) {
  const refresh = useRefreshFamilies()
  const reopen = useEndpointMutation(familiesApi.reopenLogIn, { onSettled: refresh })
  const closed = links.find(({ log_in_closed_at }) => log_in_closed_at !== null)
  if (!closed) return null
  return (
    <div className={rows.row}>
      <span className={styles.dim}>
        Their own log-in was closed on {formatInstantDate(closed.log_in_closed_at!)}. After {UNDO_DAYS} days it is deleted.
      </span>
      <BusyButton
        variant="default"
        busy={reopen.isPending}
        busyLabel="Opening..."
        onClick={() => reopen.mutate({ params: { id: studentId } })}
      >
        Open it again
      </BusyButton>
      <ErrorNotice>{reopen.isError && errorMessage(reopen.error, 'The log-in could not be opened.')}</ErrorNotice>
    </div>
  )
}
