import { Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { studentsApi } from '@tatami/contract/students/students'
import { LayoutLink } from '../lib/layout-link.tsx'
import { rollPath } from '../lib/paths.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { isWaiting, describeFailure, type PendingMark } from './pending-marks.ts'
import { marks } from './marks.ts'
import styles from './unsaved-notice.module.css'
import kit from '../ui/kit.module.css'

const MAX_NAMES = 3
const listNames = (names: string[]) =>
  names.length > MAX_NAMES
    ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
    : names.join(', ')

const endWithPeriod = (reason = '') => `${reason.replace(/\.$/, '')}.`

export function UnsavedNotice() {
  const pendingMarks = marks.usePending()
  const waitingMarks = pendingMarks.filter(isWaiting)
  const refusedMarks = pendingMarks.filter(({ refusal }) => refusal !== undefined)
  const failedMarks = pendingMarks.filter(
    (mark) => mark.refusal === undefined && describeFailure(mark) !== undefined,
  )
  const conflictingMarks = pendingMarks.filter(({ elsewhere }) => elsewhere)
  const { data: students = [] } = useQuery({
    ...endpointQuery(studentsApi.list),
    enabled:
      waitingMarks.length + refusedMarks.length + failedMarks.length + conflictingMarks.length > 0,
  })
  const describeMarks = (unsavedMarks: readonly PendingMark[]) => {
    const names = listNames(
      students
        .filter(({ id }) => unsavedMarks.some((mark) => mark.student_id === id))
        .map(({ name }) => name),
    )
    return `${pluralize(unsavedMarks.length, 'mark')}${names && ` (${names})`}`
  }
  return (
    <>
      {waitingMarks.length > 0 && (
        <p role="status" className={`${kit.row} ${styles.notice}`}>
          <IconClock size={20} aria-hidden />
          <span>
            {describeMarks(waitingMarks)} waiting for network.{' '}
            {marks.isDurable() ? 'Stored on this device.' : 'Keep this page open until then.'}
          </span>
        </p>
      )}
      {conflictingMarks[0] && (
        <div role="alert" className={`${kit.row} ${styles.notice}`}>
          {describeMarks(conflictingMarks)} marked differently elsewhere.
          <Button component={LayoutLink} to={rollPath(conflictingMarks[0])} variant="default">
            Decide
          </Button>
        </div>
      )}
      <ErrorNotice isUnsaved onRetry={() => void marks.sendAll()}>
        {failedMarks[0] &&
          `Not saved: ${describeMarks(failedMarks)}. ${endWithPeriod(failedMarks[0].failure)} ` +
            'Kept on this device. It will be sent again automatically.'}
      </ErrorNotice>
      <ErrorNotice isUnsaved onRetry={() => void Promise.all(refusedMarks.map(marks.retry))}>
        {refusedMarks[0] && (
          <>
            Not saved: {describeMarks(refusedMarks)}. {refusedMarks[0].refusal}{' '}
            <Button variant="subtle" color="red" onClick={() => void marks.remove(refusedMarks)}>
              Discard
            </Button>
          </>
        )}
      </ErrorNotice>
    </>
  )
}
