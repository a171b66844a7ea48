import { Button, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { StudentList } from './student-list.tsx'
import { lazyComponent, lazyPart } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

const loadAttendance = () =>
  import('../attendance/attendance-view.tsx').then((module) => module.AttendanceView)
const FamiliesView = lazyPart(
  () => import('../families/families-view.tsx'),
  'FamiliesView',
  <Skeletons label="" />,
)
const AttendanceView = lazyComponent(loadAttendance, <Skeletons label="" />)

/** The students or, in the same place, their attendance or their families. Which of these is kept in the history, so that "back" leads back. */
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
    // Back to the list as it was searched and filtered.
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
