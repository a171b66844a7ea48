import { useQuery } from '@tanstack/react-query'
import { studentsApi } from '@tatami/contract/students'
import { counted } from '../lib/counted.ts'
import { endpointQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { marks, useTaps } from './marks.ts'

const NAMED = 3
const names = (all: string[]) => (all.length > NAMED ? `${all.slice(0, NAMED).join(', ')} and ${all.length - NAMED} more` : all.join(', '))

/** Marks that the server does not have outlive the dialog: they are said here, and go out by themselves when the network is back. */
export function UnsavedNotice() {
  const taps = useTaps()
  const failed = taps.filter((tap) => tap.failure)
  const { data: students = [] } = useQuery({ ...endpointQuery(studentsApi.list), enabled: failed.length > 0 })
  const retry = () => failed.forEach(marks.retry)

  const who = names(students.filter(({ id }) => failed.some((tap) => tap.student_id === id)).map(({ name }) => name))
  return (
    <ErrorNotice onRetry={retry}>{failed.length > 0 && `Not saved: ${counted(failed.length, 'mark')}${who && ` (${who})`}.`}</ErrorNotice>
  )
}
