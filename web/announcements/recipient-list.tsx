import { IconChevronRight } from '@tabler/icons-react'
import { SKIP_WORDS } from '@tatami/contract/message-words'
import type { Preview } from '@tatami/contract/messages'
import styles from './recipients.module.css'

type Student = Preview['students'][number]

/** Those left out come first, for their reasons; those of other classes, who are not meant anyway, last of them. */
export function RecipientList({ students }: { students: Student[] }) {
  const others = students.filter(({ sends }) => !sends)
  const isElsewhere = ({ reason }: Student) => reason === 'not_in_class'
  return (
    <details className={styles.names}>
      <summary className={styles.summary}><IconChevronRight size={20} aria-hidden className={styles.chevron} />Names and reasons</summary>
      <Names title="Do not get it" students={[...others.filter((one) => !isElsewhere(one)), ...others.filter(isElsewhere)]} />
      <Names title="Get it" students={students.filter(({ sends }) => sends)} />
    </details>
  )
}

const Names = ({ title, students }: { title: string; students: Student[] }) => students.length > 0 && (
  <>
    <h4 className={styles.title}>{title} ({students.length})</h4>
    <ul className={styles.list} aria-label={title}>
      {students.map(({ student_id, name, reason }) => (
        <li key={student_id}><span>{name}</span>{reason && <span className={styles.reason}>{SKIP_WORDS[reason]}</span>}</li>
      ))}
    </ul>
  </>
)
