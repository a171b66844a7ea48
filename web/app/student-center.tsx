import { Button, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useLocation, useNavigate } from 'react-router'
import { StudentList } from '../students/student-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

const loadAttendance = () => import('../attendance/attendance-view.tsx').then((module) => module.AttendanceView)
const AttendanceView = lazyComponent(loadAttendance, <Skeletons label="" />)

/** The students or, in the same place, their attendance. Which of the two is kept in the history, so that "back" leads back. */
export function StudentCenter() {
  const navigate = useNavigate()
  const { search, state } = useLocation()
  const { view } = Object(state) as { view?: 'attendance' }
  const toTop = () => {
    window.scrollTo(0, 0)
    document.getElementById('content')?.focus()
  }
  const toAttendance = () => {
    void navigate({ search }, { state: { view: 'attendance' } })
    toTop()
  }
  const back = () => {
    void navigate(-1)
    toTop()
  }
  if (view !== 'attendance') return <StudentList onAttendance={toAttendance} />
  return (
    <Stack gap="md">
      <div>
        <Button variant="subtle" ml="-md" leftSection={<IconArrowLeft size={20} aria-hidden />} onClick={back}>
          Back to Student Center
        </Button>
      </div>
      <AttendanceView />
    </Stack>
  )
}
