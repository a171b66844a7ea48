import { attendanceApi } from '@tatami/contract/attendance'
import { Presence } from '../attendance/presence.tsx'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { ShellLink } from '../lib/shell.tsx'
import { LoadAgain } from '../ui/load-again.tsx'
import { Panel } from './panel.tsx'
import styles from './my-attendance.module.css'

/** How many the dashboard shows (specification, section 9). */
const LATEST = 10

export const latestMarks = endpointQuery(attendanceApi.list, { query: { limit: LATEST } })

/** The student's newest marks. What cannot be loaded stays empty (section 8). */
export function MyAttendance() {
  const { data: records = [], isUnavailable, retry } = useRetryingQuery(latestMarks)
  return (
    <Panel title="My Attendance History" aside={records.length > 0 && <ShellLink to="/attendance">See all</ShellLink>}>
      {isUnavailable && <LoadAgain onRetry={retry}>This could not be loaded.</LoadAgain>}
      {records.length === 0 && !isUnavailable && (
        <p className={styles.nothing}>Nothing here yet. Your instructor marks attendance in each class.</p>
      )}
      <ul className={styles.list}>
        {records.map(({ id, class_name, class_location, class_date, present }) => (
          <li key={id}>
            <div className={styles.what}>
              <span className={styles.name}>{class_name}</span>
              <p className={styles.about}>
                {class_location} · {formatDate(class_date)}
              </p>
            </div>
            <Presence present={present} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
