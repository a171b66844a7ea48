import { IconChevronRight } from '@tabler/icons-react'
import { SKIP_REASON_LABELS, type SkipReason } from '@tatami/contract/message-types'
import type { Preview } from '@tatami/contract/bulk-message'
import styles from './recipients.module.css'

type Student = Preview['students'][number]

/** What somebody can do something about comes first; those of other classes, who are not meant anyway, last. */
const ORDER: SkipReason[] = ['no_valid_phone', 'opted_out', 'vacation', 'trial', 'paid', 'not_in_class']
const rank = ({ reason }: Student) => (reason ? ORDER.indexOf(reason) : ORDER.length)

export function RecipientList({ students }: { students: Student[] }) {
  const others = students.filter(({ sends }) => !sends).toSorted((one, other) => rank(one) - rank(other))
  return (
    <details
      className={styles.names}
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: 'nearest' })}
    >
      <summary className={styles.summary}>
        <IconChevronRight size={20} aria-hidden className={styles.chevron} />
        Names and reasons
      </summary>
      <Names title="Do not get it" students={others} />
      <Names title="Get it" students={students.filter(({ sends }) => sends)} />
    </details>
  )
}

const Names = ({ title, students }: { title: string; students: Student[] }) =>
  students.length > 0 && (
    <>
      <h4 className={styles.title}>
        {title} ({students.length})
      </h4>
      <ul className={styles.list} aria-label={title}>
        {students.map(({ student_id, name, reason }) => (
          <li key={student_id}>
            <span>{name}</span>
            {reason && <span className={styles.reason}>{SKIP_REASON_LABELS[reason]}</span>}
          </li>
        ))}
      </ul>
    </>
  )
