import { Title } from '@mantine/core'
import type { DojoClass } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'
import { CallButton } from './call-button.tsx'
import { type ClassGroup, classNames } from './class-groups.ts'
import { counted } from '../lib/counted.ts'
import { EditButton } from './edit-button.tsx'
import styles from './student-cards.module.css'
import { beltEdge, BeltLevel, Contact, Status } from './student-facts.tsx'

export type GroupsProps = {
  groups: ClassGroup[]
  classes: readonly DojoClass[]
  onEdit: (student: Student) => void
  onNearEdit: () => void
}

export const StudentCards = ({ groups, classes, onEdit, onNearEdit }: GroupsProps) =>
  groups.map(({ id, name, time, count, students }) => (
    <div key={id} className={styles.group}>
      <Title order={3} id={`class-${id}`} tabIndex={-1} className={styles.heading}>
        {name} <span className={styles.note}>{[time, counted(count, 'student')].filter(Boolean).join(' · ')}</span>
      </Title>
      <ul className={styles.cards}>
        {students.map((student) => (
          <li key={student.id} className={styles.card} style={beltEdge(student.belt_level)}>
            <div className={styles.facts}>
              <span className={styles.name}>{student.name}</span>
              <span className={styles.state}>
                <BeltLevel belt={student.belt_level} />
                <Status student={student} />
              </span>
              <Contact student={student} />
              <span className={styles.classes}>{classNames(student, classes) || 'No classes'}</span>
            </div>
            <div className={styles.acts}>
              <EditButton student={student} onEdit={onEdit} onNear={onNearEdit} />
              <CallButton student={student} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  ))
