import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes'
import { dashboardApi } from '@tatami/contract/dashboard'
import { endpointQuery } from '../kernel/query.ts'
import { useShell } from '../kernel/shell.tsx'
import { Birthdays } from './birthdays.tsx'
import { DashboardLoading } from './dashboard-loading.tsx'
import { Greeting } from './greeting.tsx'
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
  const isLoading = [stats, birthdays, classes].some(isAwaited)
  return (
    <div className={layout.page} data-shell={useShell()}>
      <Greeting />
      {isLoading ? <DashboardLoading count={4} height={160} /> : (
        <>
          <div className={layout.row}>
            <Today classes={classes.data ?? []} birthdays={birthdays.data ?? []} hasNoClass={classes.data?.length === 0} />
            <QuickActions />
          </div>
          <StatTiles stats={stats.data} />
          <Birthdays birthdays={birthdays.data ?? []} />
        </>
      )}
    </div>
  )
}
