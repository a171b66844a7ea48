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

/** The list of students, their attendance or their families, each with its own history entry. */
export function StudentCenter() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { search, state } = useLocation()
  const { view, list } = Object(state) as { view?: 'attendance'; list?: string }
  const toTop = () => {
    window.scrollTo(0, 0)
    document.getElementById('content')?.focus()
  }
  const toAttendance = () => {
    void navigate({ search }, { state: { view: 'attendance' } })
    toTop()
  }
  const toFamilies = () => {
    // Keeps the search and the filter for the way back.
    void navigate({ search: '?view=families' }, { state: { list: search } })
    toTop()
  }
  const isFamilies = query.get('view') === 'families'
  const back = () => {
    // Families have an address of their own, which a link may have opened.
    if (isFamilies) void navigate({ search: list ?? '' })
    else void navigate(-1)
    toTop()
  }
  if (view !== 'attendance' && !isFamilies)
    return <StudentList onAttendance={toAttendance} onFamilies={toFamilies} />
  return (
    <Stack gap="md">
      <div>
        <Button
          variant="subtle"
          ml="-md"
          leftSection={<IconArrowLeft size={20} aria-hidden />}
          onClick={back}
        >
          Back to Student Center
        </Button>
      </div>
      {isFamilies ? <FamiliesView /> : <AttendanceView />}
    </Stack>
  )
}
