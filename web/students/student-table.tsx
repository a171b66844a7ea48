import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import type { Right } from '@tatami/contract/rights'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { type ClassGroup, enrolledClassNames } from '../lib/class-groups.ts'
import { DataTable } from '../ui/data-table.tsx'
import { EmailText } from '../ui/email-text.tsx'
import { Face } from '../ui/face.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankEdgeStyle, rankName } from '../ui/rank-name.ts'
import belt from '../ui/row-marks.module.css'
import { StudentLink } from '../ui/student-link.tsx'
import { EditButton } from './edit-button.tsx'
import type { StudentListActions } from './student-groups.tsx'
import { StudentPhone } from './student-phone.tsx'
import { StudentStatus } from './student-status.tsx'
import styles from './student-table.module.css'
import kit from '../ui/kit.module.css'

const COLUMNS: { name: string; right?: Right }[] = [
  { name: 'Name' },
  { name: 'Belt' },
  { name: 'Phone', right: 'students.contact' },
  { name: 'Email', right: 'students.contact' },
  { name: 'Classes' },
  { name: 'Status' },
  { name: 'Edit', right: 'students.edit' },
]

type Props = StudentListActions & { groups: ClassGroup[]; classes: readonly DojoClass[] }

export function StudentTable({ groups, ...rowProps }: Props) {
  const can = useCan()
  const columns = COLUMNS.filter(({ right }) => can(right ?? 'any')).map(({ name }) => name)
  return (
    <DataTable columns={columns} className={styles.table}>
      {groups.map(({ id, name, time, count, students }) => (
        <tbody key={id}>
          <tr>
            <th
              scope="rowgroup"
              colSpan={columns.length}
              id={`class-${id}`}
              tabIndex={-1}
              className={styles.rowGroup}
            >
              {name}{' '}
              <span className={`${kit.note} ${styles.note}`}>
                {joinNonEmpty([time, pluralize(count, 'student')], ' · ')}
              </span>
            </th>
          </tr>
          {students.map((student) => (
            <StudentRow key={student.id} student={student} {...rowProps} />
          ))}
        </tbody>
      ))}
    </DataTable>
  )
}

type RowProps = Omit<Props, 'groups'> & { student: Student }

function StudentRow({ student, classes, onEdit, onPreloadEdit }: RowProps) {
  const { id, name, email, rank, belt_level } = student
  return (
    <tr className={styles.row} style={rankEdgeStyle(rank, belt_level)}>
      <th scope="row" className={`${belt.edge} ${styles.rowName}`}>
        <span className={kit.line}>
          <Face student={student} size={32} />
          <StudentLink id={id} className={styles.nameLink}>
            {name}
          </StudentLink>
        </span>
      </th>
      <td>
        <span className={styles.belt}>
          <RankBelt rank={rank} level={belt_level} size={28} decorative />
          {rankName(rank, belt_level)}
        </span>
      </td>
      <WithRight right="students.contact">
        <td>
          <StudentPhone student={student} />
        </td>
        <td className={kit.muted}>
          <span className={styles.email}>{email && <EmailText address={email} />}</span>
        </td>
      </WithRight>
      <td className={kit.muted}>{enrolledClassNames(student, classes) || 'No classes'}</td>
      <td className={kit.muted}>
        <StudentStatus student={student} />
      </td>
      <WithRight right="students.edit">
        <td>
          <EditButton student={student} onEdit={onEdit} onPreload={onPreloadEdit} />
        </td>
      </WithRight>
    </tr>
  )
}
