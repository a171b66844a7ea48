import { Title } from '@mantine/core'
import { IconPencil, IconPhoneCall } from '@tabler/icons-react'
import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { type KeyboardEvent, memo } from 'react'
import { formatPhone, joinNonEmpty, phoneHref, pluralize } from '../lib/text.ts'
import { useIsTable } from '../lib/use-is-table.ts'
import { useRenderedCount } from '../lib/rendered-count.ts'
import belt from '../ui/row-marks.module.css'
import { Face } from '../ui/face.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankEdgeStyle, rankName } from '../ui/rank-name.ts'
import { DataTable } from '../ui/data-table.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { isStoredStudent } from './stored-student.ts'
import {
  type ClassGroup,
  enrolledClassNames,
  limitStudents,
  groupByClass,
} from '../lib/class-groups.ts'
import styles from './student-groups.module.css'
import kit from '../ui/kit.module.css'
import { TrialBadge, VacationBadge } from './student-badges.tsx'

type Props = {
  students: readonly Student[]
  classes: readonly DojoClass[]
  onEdit: (student: Student) => void
  onPreloadEdit: () => void
}

export const StudentGroups = memo(function StudentGroups({ students, classes, ...actions }: Props) {
  const isTable = useIsTable('70em')
  const Groups = isTable ? StudentTable : StudentCards
  const count = useRenderedCount(isTable ? 'rows' : 'cards')
  return (
    <Groups
      groups={limitStudents(groupByClass(students, classes), count)}
      classes={classes}
      {...actions}
    />
  )
})

type GroupsProps = Omit<Props, 'students'> & { groups: ClassGroup[] }

const StudentCards = ({ groups, classes, onEdit, onPreloadEdit }: GroupsProps) =>
  groups.map(({ id, name, time, count, students }) => (
    <div key={id} className={styles.group}>
      <Title order={3} id={`class-${id}`} tabIndex={-1} className={styles.heading}>
        {name}{' '}
        <span className={`${kit.note} ${styles.note}`}>
          {joinNonEmpty([time, pluralize(count, 'student')], ' · ')}
        </span>
      </Title>
      <ul className={kit.cards}>
        {students.map((student) => (
          <li
            key={student.id}
            className={`${kit.wrap} ${kit.card} ${styles.card}`}
            style={rankEdgeStyle(student.rank, student.belt_level)}
          >
            <span className={styles.face}>
              <Face student={student} />
            </span>
            <div className={styles.facts}>
              <StudentLink id={student.id} className={`${styles.name} ${styles.nameLink}`}>
                {student.name}
              </StudentLink>
              <span className={`${kit.wrap} ${styles.beltAndStatus}`}>
                <StudentBelt student={student} />
                <Status student={student} />
              </span>
              <Contact student={student} />
              <span className={kit.muted}>
                {enrolledClassNames(student, classes) || 'No classes'}
              </span>
            </div>
            <div className={styles.actions}>
              <CallButton student={student} />
              <EditButton student={student} onEdit={onEdit} onPreload={onPreloadEdit} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  ))

const COLUMNS = ['Name', 'Belt', 'Email and phone', 'Classes', 'Status', 'Edit']

const StudentTable = ({ groups, classes, onEdit, onPreloadEdit }: GroupsProps) => (
  <DataTable columns={COLUMNS} className={styles.table}>
    {groups.map(({ id, name, time, count, students }) => (
      <tbody key={id}>
        <tr>
          <th
            scope="rowgroup"
            colSpan={COLUMNS.length}
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
          <tr
            key={student.id}
            className={styles.row}
            style={rankEdgeStyle(student.rank, student.belt_level)}
          >
            <th scope="row" className={`${belt.edge} ${styles.rowName}`}>
              <span className={kit.line}>
                <Face student={student} size={36} />
                <StudentLink id={student.id} className={styles.nameLink}>
                  {student.name}
                </StudentLink>
              </span>
            </th>
            <td>
              <StudentBelt student={student} />
            </td>
            <td className={styles.rowContact}>
              <Contact student={student} />
            </td>
            <td className={kit.muted}>{enrolledClassNames(student, classes) || 'No classes'}</td>
            <td>
              <Status student={student} />
            </td>
            <td>
              <EditButton student={student} onEdit={onEdit} onPreload={onPreloadEdit} />
            </td>
          </tr>
        ))}
      </tbody>
    ))}
  </DataTable>
)

const StudentBelt = ({ student: { rank, belt_level } }: { student: Student }) => (
  <span className={`${kit.inline} ${styles.belt}`}>
    <RankBelt rank={rank} level={belt_level} size={28} decorative />
    {rankName(rank, belt_level)}
  </span>
)

const Status = ({ student: { is_trial, on_vacation } }: { student: Student }) => (
  <span className={styles.status}>
    {is_trial ? <TrialBadge /> : <span>Regular</span>}
    {on_vacation ? <VacationBadge>On Vacation</VacationBadge> : <span>Active</span>}
  </span>
)

const Contact = ({ student }: { student: Student }) => (
  <span className={`${kit.wrap} ${styles.contact}`}>
    {student.email && <span>{student.email}</span>}
    {!isStoredStudent(student) && (
      <span>{student.phone_number ? formatPhone(student.phone_number) : 'No phone number'}</span>
    )}
  </span>
)

type EditButtonProps = {
  student: Student
  onEdit: (student: Student) => void
  onPreload: () => void
}

const EditButton = ({ student, onEdit, onPreload }: EditButtonProps) => (
  <button
    type="button"
    className={styles.action}
    data-arrow-keys
    aria-label={`Edit ${student.name}`}
    onClick={() => onEdit(student)}
    onPointerEnter={onPreload}
    onFocus={onPreload}
    onKeyDown={moveFocusWithArrows}
  >
    <IconPencil size={20} aria-hidden />
  </button>
)

function moveFocusWithArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-arrow-keys]')]
  buttons[buttons.indexOf(event.currentTarget) + step]?.focus()
  event.preventDefault()
}

const CallButton = ({ student: { name, phone_number } }: { student: Student }) =>
  phone_number && (
    <a href={phoneHref(phone_number)} aria-label={`Call ${name}`} className={styles.action}>
      <IconPhoneCall size={20} aria-hidden />
    </a>
  )
