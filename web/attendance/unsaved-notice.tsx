import { useQuery } from '@tanstack/react-query'
import { studentsApi } from '@tatami/contract/students'
import { pluralize } from '../lib/text.ts'
import { endpointQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { marks, usePendingMarks } from './marks.ts'

const MAX_NAMES = 3
const listNames = (names: string[]) =>
  names.length > MAX_NAMES ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more` : names.join(', ')

/** Lists the marks that failed to save. They outlive the dialog and are sent again when the network is back. */
export function UnsavedNotice() {
  const pending = usePendingMarks()
  const failed = pending.filter((mark) => mark.failure)
  const { data: students = [] } = useQuery({ ...endpointQuery(studentsApi.list), enabled: failed.length > 0 })
  const retry = () => failed.forEach(marks.retry)

  const studentNames = listNames(students.filter(({ id }) => failed.some((mark) => mark.student_id === id)).map(({ name }) => name))
  return (
    <ErrorNotice onRetry={retry}>
      {failed.length > 0 && `Not saved: ${pluralize(failed.length, 'mark')}${studentNames && ` (${studentNames})`}.`}
    </ErrorNotice>
  )
}
