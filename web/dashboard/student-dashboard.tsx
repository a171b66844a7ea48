import { useRetryingQuery } from '../lib/query.ts'
import { useShell } from '../lib/shell.tsx'
import { DashboardLoading } from './dashboard-loading.tsx'
import { Greeting } from './greeting.tsx'
import layout from './layout.module.css'
import { latestMarks, MyAttendance } from './my-attendance.tsx'
import { latestAnnouncements, RecentAnnouncements } from './recent-announcements.tsx'
import { StudentCard } from './student-card.tsx'

/** Both lists come at once, so that neither pushes the other away. */
export function StudentDashboard() {
  const isLoading = [useRetryingQuery(latestMarks), useRetryingQuery(latestAnnouncements)].some(({ isPending }) => isPending)
  return (
    <div className={layout.page} data-shell={useShell()}>
      <Greeting />
      <StudentCard />
      {isLoading ? (
        <div role="status">
          <DashboardLoading height="24rem" />
        </div>
      ) : (
        <div className={layout.row}>
          <MyAttendance />
          <RecentAnnouncements />
        </div>
      )}
    </div>
  )
}
