import { Title } from '@mantine/core'
import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { WithRight } from '../ui/with-right.tsx'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { otherClassNames, type UniqueGroup } from '../lib/class-groups.ts'
import { Face } from '../ui/face.tsx'
import { rankEdgeStyle, rankName } from '../ui/rank-name.ts'
import { StudentLink } from '../ui/student-link.tsx'
import { EditButton } from './edit-button.tsx'
import type { StudentListActions } from './student-groups.tsx'
import { StudentPhone } from './student-phone.tsx'
import { StudentStatus } from './student-status.tsx'
import styles from './student-cards.module.css'
import kit from '../ui/kit.module.css'

type Props = StudentListActions & { groups: UniqueGroup[]; classes: readonly DojoClass[] }

export const StudentCards = ({ groups, ...cardProps }: Props) =>
  groups.map(({ listedAbove, ...group }) => (
    <div key={group.id} className={styles.group}>
      <Title order={3} id={`class-${group.id}`} tabIndex={-1} className={styles.heading}>
        {group.name}{' '}
        <span className={`${kit.note} ${styles.note}`}>
          {joinNonEmpty([group.time, pluralize(group.count, 'student')], ' · ')}
        </span>
      </Title>
      {group.students.length > 0 && (
        <ul className={`${kit.card} ${styles.cards}`} aria-labelledby={`class-${group.id}`}>
          {group.students.map((student) => (
            <StudentCard key={student.id} student={student} classId={group.id} {...cardProps} />
          ))}
        </ul>
      )}
      {listedAbove.length > 0 && <ListedAbove students={listedAbove} />}
    </div>
  ))

type CardProps = Omit<Props, 'groups'> & { student: Student; classId: string }

function StudentCard({ student, classId, classes, onEdit, onPreloadEdit }: CardProps) {
  const { id, name, email, rank, belt_level } = student
  const otherClasses = otherClassNames(student, classes, classId)
  const hasNoClasses = student.enrolled_classes.length === 0
  return (
    <li className={styles.card} style={rankEdgeStyle(rank, belt_level)}>
      <span className={styles.face}>
        <Face student={student} />
      </span>
      <div className={styles.title}>
        <StudentLink id={id} className={`${styles.name} ${styles.nameLink}`}>
          {name}
        </StudentLink>{' '}
        <span className={styles.classes} title={otherClasses || undefined}>
          {otherClasses && `Also ${otherClasses}`}
          {hasNoClasses && 'No classes'}
        </span>
      </div>
      <p className={styles.facts}>
        {rankName(rank, belt_level)} · <StudentStatus student={student} />
      </p>
      <WithRight right="students.contact">
        <p className={styles.contact}>
          <StudentPhone student={student} />
          {email && (
            <span className={styles.email} title={email}>
              {email}
            </span>
          )}
        </p>
      </WithRight>
      <EditButton student={student} onEdit={onEdit} onPreload={onPreloadEdit} />
    </li>
  )
}

/** Students of this class whose cards are already under another of their classes. */
const ListedAbove = ({ students }: { students: readonly Student[] }) => (
  <div className={styles.listedAbove}>
    <p className={kit.note}>Listed above</p>
    <ul className={styles.links}>
      {students.map(({ id, name }) => (
        <li key={id}>
          <StudentLink id={id} className={styles.link}>
            {name}
          </StudentLink>
        </li>
      ))}
    </ul>
  </div>
)
