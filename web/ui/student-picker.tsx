import { classesApi } from '@tatami/contract/classes/classes'
import { studentMatches } from '@tatami/contract/students/student-search'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { RetryNotice } from './notices.tsx'
import { SearchPicker } from './search-picker.tsx'
import { describeStudent } from '../lib/class-groups.ts'

type Props = {
  label: string
  actionLabel: string
  onPick: (student: Student) => void
  isExcluded?: (student: Student) => boolean
  hasFocus?: boolean
}

export function StudentPicker({ isExcluded = () => false, ...props }: Props) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  if (students.isUnavailable)
    return <RetryNotice onRetry={students.retry}>The students could not be loaded.</RetryNotice>
  const find = (text: string) =>
    (students.data ?? []).filter((student) => !isExcluded(student) && studentMatches(student, text))
  return (
    <SearchPicker
      {...props}
      placeholder="Name, email or phone"
      find={find}
      describe={(student) => describeStudent(student, classes)}
      noMatchesNote={students.data ? 'No results' : 'Loading...'}
    />
  )
}
