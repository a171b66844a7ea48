import { formatMoney } from '@tatami/contract/lib/money'
import type { FigureRow } from '@tatami/contract/memberships/membership-figures'
import { studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { FramedList } from '../ui/framed-list.tsx'
import { Loading } from '../ui/loading.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import styles from './payment-figures.module.css'
import kit from '../ui/kit.module.css'

type Props = { title: string; rows: readonly FigureRow[]; onClose: () => void }

/** Lists the students who make up a number in a report. */
export function FigureList({ title, rows, onClose }: Props) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const { data: formerStudents = [] } = useQuery(endpointQuery(studentsApi.former))
  const names = new Map(
    [...(students.data ?? []), ...formerStudents].map(({ id, name }) => [id, name]),
  )
  const namedRows = rows
    .map((row) => ({ ...row, name: names.get(row.student_id) ?? 'Former student' }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <Sheet opened onClose={onClose} title={title}>
      <Loading query={students} error="The students could not be loaded.">
        <SkeletonBlock height="8rem" />
      </Loading>
      {rows.length === 0 && <EmptyState>No students this month</EmptyState>}
      {students.data && rows.length > 0 && (
        <FramedList>
          {namedRows.map((row, index) => (
            <FigureListRow key={`${row.student_id} ${index}`} row={row} />
          ))}
        </FramedList>
      )}
    </Sheet>
  )
}

const FigureListRow = ({ row }: { row: FigureRow & { name: string } }) => (
  <li className={`${kit.spread} ${styles.figureRow}`}>
    <div>
      <StudentLink id={row.student_id} className={kit.strong}>
        {row.name}
      </StudentLink>
      <div className={kit.note}>
        {joinNonEmpty([row.plan_name, row.day && formatDate(row.day)])}
      </div>
    </div>
    {row.amount !== null && <span>{formatMoney(row.amount)}</span>}
  </li>
)
