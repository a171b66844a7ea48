import {
  IconArrowRight,
  IconCalendarOff,
  IconCalendarPlus,
  IconUserCircle,
} from '@tabler/icons-react'
import type { DatedClass } from '@tatami/contract/class-dates'
import styles from './date-state.module.css'
import { stateWords } from './dates.ts'

type Props = {
  date: Pick<
    DatedClass,
    'status' | 'origin' | 'day' | 'reason' | 'moved_from' | 'moved_to' | 'substitute'
  >
}

/** What is other than in every week: cancelled and why, moved, added, who teaches instead. */
export function DateState({ date }: Props) {
  const words = stateWords(date)
  const isOff = date.status !== 'on'
  const isGone = date.status === 'cancelled' || date.status === 'holiday'
  const Sign = isGone
    ? IconCalendarOff
    : date.origin === 'added'
      ? IconCalendarPlus
      : IconArrowRight
  return (
    <>
      {words && (
        <span className={styles.state} data-off={isGone}>
          <Sign size={16} aria-hidden />
          {words}
        </span>
      )}
      {date.substitute && !isOff && (
        <span className={styles.state}>
          <IconUserCircle size={16} aria-hidden />
          {date.substitute} teaches
        </span>
      )}
    </>
  )
}
