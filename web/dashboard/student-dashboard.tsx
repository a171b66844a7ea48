import { useShell } from '../kernel/shell.tsx'
import { Greeting } from './greeting.tsx'
import layout from './layout.module.css'
import { MyAttendance } from './my-attendance.tsx'
import { RecentAnnouncements } from './recent-announcements.tsx'
import { StudentCard } from './student-card.tsx'

export const StudentDashboard = () => (
  <div className={layout.page} data-shell={useShell()}>
    <Greeting />
    <StudentCard />
    <div className={layout.row}>
      <MyAttendance />
      <RecentAnnouncements />
    </div>
  </div>
)
