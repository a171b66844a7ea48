import { IconChevronRight } from '@tabler/icons-react'
import { groupByClass } from '../students/class-groups.ts'
import { counted } from '../lib/counted.ts'
import { type ListProps, PaymentList } from './payment-list.tsx'
import styles from './payments.module.css'

/** The same list class by class; each class can be folded away. */
export const PaymentGroups = ({ students, classes, stateOf, marking }: ListProps) =>
  groupByClass(students, classes).map((group) => (
    <details key={group.id} open className={styles.group}>
      <summary className={styles.summary}>
        <IconChevronRight size={20} aria-hidden className={styles.chevron} />
        <span className={styles.name}>{group.id === 'unassigned' ? 'No Class Assigned' : group.name}</span>
        <span className={styles.about}>
          {counted(group.students.length, 'student')}
          {group.students.every((student) => stateOf(student) !== 'unconfirmed') &&
            `, ${group.students.filter((student) => stateOf(student) === 'paid').length} paid`}
        </span>
      </summary>
      <PaymentList students={group.students} classes={classes} stateOf={stateOf} marking={marking} />
    </details>
  ))
