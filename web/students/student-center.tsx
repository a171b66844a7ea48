import { Button, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { StudentList } from './student-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

const FamiliesView = lazyComponent(
  () => import('../families/families-view.tsx'),
  'FamiliesView',
  <Skeletons label="" />,
)
const AttendanceView = lazyComponent(
  () => import('../attendance/attendance-view.tsx'),
  'AttendanceView',
  <Skeletons label="" />,
)

export function StudentCenter() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { search, state } = useLocation()
  const { view, listQuery } = Object(state) as { view?: 'attendance'; listQuery?: string }
  const scrollToTop = () => {
    window.scrollTo(0, 0)
    document.getElementById('content')?.focus()
  }
  const openAttendance = () => {
    void navigate({ search }, { state: { view: 'attendance' } })
    scrollToTop()
  }
  const openFamilies = () => {
    void navigate({ search: '?view=families' }, { state: { listQuery: search } })
    scrollToTop()
  }
  const isFamilies = query.get('view') === 'families'
  const goBack = () => {
    // Families have their own URL, so the previous page may not be the list.
    if (isFamilies) void navigate({ search: listQuery ?? '' })
    else void navigate(-1)
    scrollToTop()
  }
  if (view !== 'attendance' && !isFamilies)
    return <StudentList onAttendance={openAttendance} onFamilies={openFamilies} />
  return (
    <Stack gap="md">
      <div>
        <Button
          variant="subtle"
          ml="-md"
          leftSection={<IconArrowLeft size={20} aria-hidden />}
          onClick={goBack}
        >
          Back to Student Center
        </Button>
      </div>
      {isFamilies ? <FamiliesView /> : <AttendanceView />}
    </Stack>
  )
}
