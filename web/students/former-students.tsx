import { studentMatches } from '@tatami/contract/students/student-search'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useDeferredValue } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useRenderedCount } from '../lib/rendered-count.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { formatPhone, joinNonEmpty, pluralize } from '../lib/text.ts'
import { ActionRow, ActionRows } from '../ui/action-rows.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Face } from '../ui/face.tsx'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { describeDeparture } from './departure-text.ts'
import { ReturnButton, useReturn } from './return-button.tsx'

type Props = { search: string; onReturned: (student: Student) => void }

/** The students who left, the last one first. */
export function FormerStudents({ search, onReturned }: Props) {
  const former = useRetryingQuery(endpointQuery(studentsApi.former))
  const deferredSearch = useDeferredValue(search)
  const count = useRenderedCount('cards')
  if (!former.data)
    return (
      <Loading query={former} error="The former students could not be loaded.">
        <Skeletons count={6} height={96} label="Loading former students..." />
      </Loading>
    )
  const matches = former.data.filter((student) => studentMatches(student, deferredSearch, 'former'))
  if (matches.length === 0)
    return (
      <EmptyState>
        {former.data.length === 0
          ? 'No one has left. To mark a student as left, open Edit on their page.'
          : 'No results'}
      </EmptyState>
    )
  return (
    <div className={kit.stackSmall}>
      <p className={kit.muted}>{pluralize(matches.length, 'former student')}</p>
      <ActionRows>
        {matches.slice(0, count).map((student) => (
          <FormerStudent key={student.id} student={student} onReturned={onReturned} />
        ))}
      </ActionRows>
    </div>
  )
}

type RowProps = { student: Student; onReturned: Props['onReturned'] }

function FormerStudent({ student, onReturned }: RowProps) {
  const { id, name, phone_number, email } = student
  const comeback = useReturn(id, () => onReturned(student))
  return (
    <ActionRow
      name={
        <span className={kit.line}>
          <Face student={student} size={32} />
          <StudentLink id={id}>{name}</StudentLink>
        </span>
      }
      details={[
        describeDeparture(student),
        joinNonEmpty([phone_number && formatPhone(phone_number), email], ' · '),
      ].filter(Boolean)}
      actions={<ReturnButton name={name} comeback={comeback} variant="default" />}
      error={comeback.error && errorMessage(comeback.error, 'This could not be saved.')}
    />
  )
}
