import { IconKey, IconPhoneCall } from '@tabler/icons-react'
import type { Guardian } from '@tatami/contract/guardians/guardians'
import { useCan } from '../lib/current-user.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { formatPhone, joinNonEmpty, phoneHref } from '../lib/text.ts'
import { StudentFace } from '../pictures/student-face.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { describeAdulthood, isAdultSoon } from './adulthood-text.ts'
import styles from './families-view.module.css'
import kit from '../ui/kit.module.css'

type Props = { guardian: Guardian; onOpen: () => void; onPreload: () => void }

function describeLogin({ has_log_in, invited_until }: Guardian): string {
  if (has_log_in) return 'Logs in'
  return invited_until ? `Invited until ${formatInstantDate(invited_until)}` : 'No login'
}

/** For staff who may edit guardians, the name opens the dialog. */
const GuardianName = ({ guardian, onOpen, onPreload }: Props) =>
  useCan()('students.edit') ? (
    <button
      type="button"
      className={`${kit.bareButton} ${styles.cardButton}`}
      onClick={onOpen}
      onPointerEnter={onPreload}
      onFocus={onPreload}
    >
      {guardian.name}
    </button>
  ) : (
    <p className={kit.strong}>{guardian.name}</p>
  )

export const GuardianCard = ({ guardian, onOpen, onPreload }: Props) => (
  <div className={`${kit.card} ${kit.lines} ${styles.card}`}>
    <GuardianName guardian={guardian} onOpen={onOpen} onPreload={onPreload} />
    <ul className={styles.students}>
      {guardian.students.map(({ student_id, student_name, relation, pays }) => (
        <li key={student_id} className={kit.line}>
          <StudentFace id={student_id} name={student_name} size={32} />
          <span>
            <StudentLink id={student_id} className={styles.student}>
              {student_name}
            </StudentLink>{' '}
            <span className={styles.secondary}>{joinNonEmpty([relation, pays && 'pays'])}</span>
          </span>
        </li>
      ))}
      {guardian.students.length === 0 && <li className={styles.secondary}>No student yet</li>}
    </ul>
    {guardian.students
      .filter((link) => isAdultSoon(link))
      .map((link) => (
        <p key={link.student_id} className={styles.adulthood}>
          {describeAdulthood(link)}
        </p>
      ))}
    <p className={`${kit.wrap} ${styles.facts}`}>
      {guardian.phone && (
        <a href={phoneHref(guardian.phone)} className={`${kit.inline} ${styles.fact}`}>
          <IconPhoneCall size={16} aria-hidden />
          {formatPhone(guardian.phone)}
        </a>
      )}
      <span className={`${kit.inline} ${styles.fact}`}>
        <IconKey size={16} aria-hidden />
        {describeLogin(guardian)}
      </span>
    </p>
  </div>
)
