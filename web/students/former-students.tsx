import { studentMatches } from '@tatami/contract/students/student-search'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useDeferredValue } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useRenderedCount } from '../lib/rendered-count.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { formatPhone, pluralize } from '../lib/text.ts'
import { ActionRow, ActionRows } from '../ui/action-rows.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Face } from '../ui/face.tsx'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { describeDeparture } from './departure-text.ts'
import { ReenrollButton, useReenrollment } from './reenroll-button.tsx'

type Props = { search: string; onReturned: (student: Student) => void }

/** Former students, most recently left first. */
export function FormerStudents({ search, onReturned }: Props) {
  const formerQuery = useRetryingQuery(endpointQuery(studentsApi.former))
  const deferredSearch = useDeferredValue(search)
  const renderedCount = useRenderedCount('cards')
  if (!formerQuery.data)
    return (
      <Loading query={formerQuery} error="The former students could not be loaded.">
        <Skeletons count={6} height={96} label="Loading former students..." />
      </Loading>
    )
  const matches = formerQuery.data.filter((student) =>
    studentMatches(student, deferredSearch, 'former'),
  )
  if (matches.length === 0)
    return (
      <EmptyState>
        {formerQuery.data.length === 0
          ? 'No one has left. To mark a student as left, open Edit on their page.'
          : 'No results'}
      </EmptyState>
    )
  return (
    <div className={kit.stackSmall}>
      <p className={kit.muted}>{pluralize(matches.length, 'former student')}</p>
      <ActionRows>
        {matches.slice(0, renderedCount).map((student) => (
          <FormerStudent key={student.id} student={student} onReturned={onReturned} />
        ))}
      </ActionRows>
    </div>
  )
}

type RowProps = { student: Student; onReturned: Props['onReturned'] }

function FormerStudent({ student, onReturned }: RowProps) {
  const { id, name, phone_number, email } = student
  const reenrollment = useReenrollment(id, () => onReturned(student))
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
        phone_number && formatPhone(phone_number),
        email,
      ].filter(Boolean)}
      isCompact
      actions={<ReenrollButton name={name} reenrollment={reenrollment} isInRow />}
      error={reenrollment.error && errorMessage(reenrollment.error, 'This could not be saved.')}
    />
  )
}
