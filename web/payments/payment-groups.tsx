import { IconChevronRight } from '@tabler/icons-react'
import { groupByClass } from '../students/class-groups.ts'
import { counted } from '../kernel/counted.ts'
import { type ListProps, PaymentList } from './payment-list.tsx'
import styles from './payments.module.css'

/** The same list class by class; each class can be folded away. */
export const PaymentGroups = ({ students, classes, paid, month }: ListProps) =>
  groupByClass(students, classes).map((group) => (
    <details key={group.id} open className={styles.group}>
      <summary className={styles.summary}>
        <IconChevronRight size={20} aria-hidden className={styles.chevron} />
        <span className={styles.name}>{group.id === 'unassigned' ? 'No Class Assigned' : group.name}</span>
        <span className={styles.about}>
          {counted(group.students.length, 'student')}, {group.students.filter(({ id }) => paid.has(id)).length} paid
        </span>
      </summary>
      <PaymentList students={group.students} classes={classes} paid={paid} month={month} />
    </details>
  ))
