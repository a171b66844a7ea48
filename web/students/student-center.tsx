import { Button, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { pathIn } from '../lib/layout.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { isAttendanceState, PATHS } from '../lib/paths.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentList } from './student-list.tsx'

const AttendanceView = lazyComponent(
  () => import('../attendance/attendance-view.tsx'),
  'AttendanceView',
  <Skeletons label="" />,
)

export function StudentCenter() {
  const layout = useLayout()
  const { state } = useLocation() as { state: unknown }
  const [query] = useSearchParams()
  // The old address of the Families page.
  if (query.get('view') === 'families')
    return <Navigate to={pathIn(layout, PATHS.families)} replace />
  return isAttendanceState(state) ? <EmbeddedAttendance /> : <StudentList />
}

function EmbeddedAttendance() {
  const navigate = useNavigate()
  const { search } = useLocation()
  const showStudents = () => {
    void navigate({ search }, { replace: true })
    window.scrollTo(0, 0)
    document.getElementById('content')?.focus()
  }
  return (
    <Stack gap="md">
      <div>
        <Button
          variant="subtle"
          ml="-md"
          leftSection={<IconArrowLeft size={20} aria-hidden />}
          onClick={showStudents}
        >
          Back to Student Center
        </Button>
      </div>
      <AttendanceView />
    </Stack>
  )
}
