import { IconCheck, IconChevronRight } from '@tabler/icons-react'
import type { Reminder } from '@tatami/contract/message-types'
import { useId } from 'react'
import { showMonth } from '../lib/dates.ts'
import styles from './reminder-row.module.css'
import { REMINDER_WORDS } from './reminder-words.ts'

/** `gone` is the latest month that it has gone out for. */
type Props = { reminder: Reminder; gone: string | undefined; onOpen: () => void; onNear: () => void }

/** One reminder; the whole row opens it. */
export function ReminderRow({ reminder, gone, onOpen, onNear }: Props) {
  const about = useId()
  const { name, day } = REMINDER_WORDS[reminder]
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <button
          type="button"
          className={styles.open}
          aria-haspopup="dialog"
          aria-describedby={about}
          onClick={onOpen}
          onPointerEnter={onNear}
          onFocus={onNear}
        >
          {name}
        </button>
        <p id={about} className={styles.about}>
          <span>{day}</span>
          {gone && (
            <span className={styles.gone}>
              <IconCheck size={16} aria-hidden />
              Went out for {showMonth(gone)}
            </span>
          )}
        </p>
      </div>
      <IconChevronRight size={20} aria-hidden className={styles.chevron} />
    </li>
  )
}
