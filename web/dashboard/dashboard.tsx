import { useCurrentUser } from '../lib/current-user.ts'
import { InstructorDashboard } from './instructor-dashboard.tsx'
import { StudentDashboard } from './student-dashboard.tsx'

export function Dashboard() {
  const user = useCurrentUser()
  return user.is_instructor ? <InstructorDashboard /> : <StudentDashboard />
}
