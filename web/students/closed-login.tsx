import { familiesApi } from '@tatami/contract/families/families'
import { type Guardianship, UNDO_DAYS } from '@tatami/contract/guardians/guardians'
import { failureMessage } from '../lib/api.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import rows from '../ui/rows.module.css'
import { useRefreshFamilies } from '../families/use-families.ts'
import styles from './student-guardians.module.css'

type Link = Pick<Guardianship, 'closes_log_in' | 'log_in_closed_at' | 'sees'>
type Props = { studentId: string; guardians: readonly { guardian: { name: string }; link: Link }[] }

/** Offers to reopen a student's own login that was closed in favor of a guardian's. */
export function ClosedLogin({ studentId, guardians }: Props) {
  const refresh = useRefreshFamilies()
  const reopen = useEndpointMutation(familiesApi.reopenLogin, { onSettled: refresh })
  const closedAt = guardians.find(({ link }) => link.log_in_closed_at)?.link.log_in_closed_at
  const closingGuardian = guardians.find(({ link }) => link.closes_log_in && link.sees)?.guardian
  if (!closedAt && !closingGuardian) return null
  return (
    <div className={rows.row}>
      <span className={styles.dim}>
        {closedAt &&
          `Their own login was closed on ${formatInstantDate(closedAt)}. ` +
            `It will be deleted after ${UNDO_DAYS} days.`}
        {!closedAt &&
          `Their own login closes when ${closingGuardian?.name} logs in for the first time.`}
      </span>
      <BusyButton
        variant="default"
        busy={reopen.isPending}
        busyLabel={closedAt ? 'Reopening...' : 'Saving...'}
        onClick={() => reopen.mutate({ params: { id: studentId } })}
      >
        {closedAt ? 'Reopen it' : 'Keep it open'}
      </BusyButton>
      <ErrorNotice>{failureMessage(reopen, 'The login could not be reopened.')}</ErrorNotice>
    </div>
  )
}
