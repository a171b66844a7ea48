import { useUser } from '../students/user.ts'
import { InstructorDashboard } from './instructor-dashboard.tsx'
import { StudentDashboard } from './student-dashboard.tsx'

export function Dashboard() {
  const user = useUser()
  return user.is_instructor ? <InstructorDashboard /> : <StudentDashboard />
}
