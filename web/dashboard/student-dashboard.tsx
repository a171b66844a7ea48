import { useQuery } from '@tanstack/react-query'
import { useShell } from '../kernel/shell.tsx'
import { DashboardLoading } from './dashboard-loading.tsx'
import { Greeting } from './greeting.tsx'
import { isAwaited } from '../kernel/is-awaited.ts'
import layout from './layout.module.css'
import { latestMarks, MyAttendance } from './my-attendance.tsx'
import { latestAnnouncements, RecentAnnouncements } from './recent-announcements.tsx'
import { StudentCard } from './student-card.tsx'

/** Both lists come at once, so that neither pushes the other away. */
export function StudentDashboard() {
  const isLoading = [useQuery(latestMarks), useQuery(latestAnnouncements)].some(isAwaited)
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
