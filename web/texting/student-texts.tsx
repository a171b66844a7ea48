import type { StudentPage } from '@tatami/contract/students'
import { formatDateTime } from '../lib/dates.ts'
import { StatusIcon } from './delivery-progress.tsx'
import styles from './student-texts.module.css'
import { STATUS_LABELS, statusOf } from './text-status.ts'

/** What was texted to a student and what came back, newest first. */
export const StudentTexts = ({ texts }: { texts: StudentPage['texts'] }) =>
  texts.length === 0 ? (
    <p className={styles.none}>No texts yet.</p>
  ) : (
    <ol className={styles.texts}>
      {texts.map(({ id, is_reply, text, state, at }) => (
        <li key={id} className={styles.text} data-reply={is_reply}>
          <p className={styles.words}>{text}</p>
          <p className={styles.about}>
            {is_reply ? 'Reply' : 'Text'} · <time dateTime={at}>{formatDateTime(at)}</time>
            {state && (
              <span className={styles.status}>
                <StatusIcon status={statusOf(state)} />
                {STATUS_LABELS[statusOf(state)]}
              </span>
            )}
          </p>
        </li>
      ))}
    </ol>
  )
