import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { attendanceApi } from '@tatami/contract/attendance'
import { classesApi } from '@tatami/contract/classes'
import { dashboardApi } from '@tatami/contract/dashboard'
import { today } from '../kernel/dates.ts'
import { endpointQuery } from '../kernel/query.ts'
import { useShell } from '../kernel/shell.tsx'
import { Analytics } from './analytics.tsx'
import { Birthdays } from './birthdays.tsx'
import { Greeting } from './greeting.tsx'
import { InstructorLoading } from './instructor-loading.tsx'
import layout from './layout.module.css'
import { QuickActions } from './quick-actions.tsx'
import { StatTiles } from './stat-tiles.tsx'
import { Today } from './today.tsx'

/** Until the first answer or the first failure: a call that goes on failing keeps nobody waiting. */
const isAwaited = ({ isPending, failureCount }: UseQueryResult) => isPending && failureCount === 0

/** What needs the sensei today, then the specification's parts. What cannot be loaded stays empty (section 8). */
export function InstructorDashboard() {
  const stats = useQuery(endpointQuery(dashboardApi.stats))
  const birthdays = useQuery(endpointQuery(dashboardApi.birthdays))
  const classes = useQuery(endpointQuery(classesApi.list))
  const marks = useQuery(endpointQuery(attendanceApi.list, { query: { class_date: today() } }))
  const isLoading = [stats, birthdays, classes, marks].some(isAwaited)
  return (
    <div className={layout.page} data-shell={useShell()}>
      <Greeting />
      {isLoading ? <InstructorLoading /> : (
        <>
          <div className={layout.row}>
            <Today classes={classes.data} marks={marks.data ?? []} birthdays={birthdays.data ?? []} onRetry={() => void classes.refetch()} />
            <QuickActions />
          </div>
          <StatTiles stats={stats.data} />
          <Birthdays birthdays={birthdays.data ?? []} />
          <Analytics />
        </>
      )}
    </div>
  )
}
