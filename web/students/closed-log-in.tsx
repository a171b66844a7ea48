import { familiesApi } from '@tatami/contract/families/families'
import { type Guardianship, UNDO_DAYS } from '@tatami/contract/guardians/guardians'
import { failureOf } from '../lib/api.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import rows from '../ui/rows.module.css'
import { useRefreshFamilies } from '../families/use-families.ts'
import styles from './student-guardians.module.css'

type Link = Pick<Guardianship, 'closes_log_in' | 'log_in_closed_at' | 'sees'>
type Props = { studentId: string; linked: readonly { guardian: { name: string }; link: Link }[] }

/** That the student's own log-in was closed in favour of a guardian's, or will be, with the way to open or keep it while there is one. */
export function ClosedLogIn({ studentId, linked }: Props) {
  const refresh = useRefreshFamilies()
  const reopen = useEndpointMutation(familiesApi.reopenLogIn, { onSettled: refresh })
  const closed = linked.find(({ link }) => link.log_in_closed_at !== null)
  // None closes for a guardian from whom the page is hidden.
  const closing = linked.find(({ link }) => link.closes_log_in && link.sees)
  if (!closed && !closing) return null
  return (
    <div className={rows.row}>
      <span className={styles.dim}>
        {closed
          ? `Their own log-in was closed on ${formatInstantDate(closed.link.log_in_closed_at!)}. After ${UNDO_DAYS} days it is deleted.`
          : `Their own log-in closes when ${closing!.guardian.name} logs in for the first time.`}
      </span>
      <BusyButton
        variant="default"
        busy={reopen.isPending}
        busyLabel={closed ? 'Opening...' : 'Saving...'}
        onClick={() => reopen.mutate({ params: { id: studentId } })}
      >
        {closed ? 'Open it again' : 'Keep it open'}
      </BusyButton>
      <ErrorNotice>{failureOf(reopen, 'The log-in could not be opened.')}</ErrorNotice>
    </div>
  )
}
