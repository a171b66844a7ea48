import { attendanceApi } from '@tatami/contract/attendance'
import { classesApi } from '@tatami/contract/classes'
import { dashboardApi } from '@tatami/contract/dashboard'
import { paymentsApi } from '@tatami/contract/payments'
import { today } from '../lib/dates.ts'
import { UnsavedNotice } from '../attendance/unsaved-notice.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useShell } from '../lib/shell.tsx'
import { Analytics } from './analytics.tsx'
import { Birthdays } from './birthdays.tsx'
import { thisMonth } from '../lib/month.ts'
import { Greeting } from './greeting.tsx'
import { InstructorLoading } from './instructor-loading.tsx'
import layout from './layout.module.css'
import { QuickActions } from './quick-actions.tsx'
import { StatTiles } from './stat-tiles.tsx'
import { Today } from './today.tsx'

/** What needs the sensei today, then the specification's parts. What cannot be loaded stays empty (section 8). */
export function InstructorDashboard() {
  const stats = useRetryingQuery(endpointQuery(dashboardApi.stats))
  const birthdays = useRetryingQuery(endpointQuery(dashboardApi.birthdays))
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const marks = useRetryingQuery(endpointQuery(attendanceApi.list, { query: { class_date: today() } }))
  const payments = useRetryingQuery(endpointQuery(paymentsApi.statistics, { query: thisMonth() }))
  const all = [stats, birthdays, classes, marks, payments]
  const isLoading = all.some(({ isPending }) => isPending)
  const missing = all.filter(({ isUnavailable }) => isUnavailable)
  // Nothing to draw yet: the next step is in "Today".
  const isNew = stats.data?.total_students === 0 && classes.data?.length === 0
  return (
    <div className={layout.page} data-shell={useShell()}>
      <Greeting />
      <UnsavedNotice />
      {isLoading ? (
        <InstructorLoading />
      ) : (
        <>
          <div className={layout.row}>
            <Today
              classes={classes.data}
              marks={marks.data ?? []}
              birthdays={birthdays.data ?? []}
              payments={payments.data}
              onRetry={missing.length > 0 ? () => missing.forEach(({ retry }) => retry()) : undefined}
            />
            <QuickActions />
          </div>
          <StatTiles stats={stats.data} />
          <Birthdays birthdays={birthdays.data ?? []} />
          {!isNew && <Analytics />}
        </>
      )}
    </div>
  )
}
