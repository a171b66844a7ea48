import type { KeyboardEvent } from 'react'
import { pluralize } from '../lib/text.ts'
import { formatWeekdayAndDay, today } from '../lib/dates.ts'
import styles from './birthday-calendar.module.css'

type Props = {
  date: string
  birthdays: number
  isCursor: boolean
  isChosen: boolean
  onClick: (date: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** A day: its number, how many birthdays it has, and whether it is today. */
export function CalendarDay({ date, birthdays, isCursor, isChosen, onClick, onKeyDown }: Props) {
  const isToday = date === today()
  const hasBirthdays = birthdays > 0
  return (
    <button
      type="button"
      className={styles.day}
      data-birthdays={hasBirthdays}
      tabIndex={isCursor ? 0 : -1}
      aria-label={[formatWeekdayAndDay(date), isToday && 'today', hasBirthdays && pluralize(birthdays, 'birthday')]
        .filter(Boolean)
        .join(', ')}
      aria-current={isToday ? 'date' : undefined}
      aria-pressed={hasBirthdays ? isChosen : undefined}
      onClick={() => onClick(date)}
      onKeyDown={onKeyDown}
    >
      {Number(date.slice(8))}
      <span className={styles.count} aria-hidden>
        {hasBirthdays && birthdays}
      </span>
    </button>
  )
}
