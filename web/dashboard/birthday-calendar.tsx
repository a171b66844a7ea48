import {
  monthOfDate,
  addDays,
  dayOfMonth,
  utcMidnight,
  addMonthsToDay,
  dayFrom,
} from '@tatami/contract/lib/calendar-day'
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { monthGrid, type Birthday } from '@tatami/contract/dashboard/dashboard'
import { useRef, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { formatMonthOfDate, formatWeekdayAndDay, today } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import styles from './birthday-calendar.module.css'
import { KEY_STEPS } from './calendar-keys.ts'
import kit from '../ui/kit.module.css'

type Props = {
  byDay: Map<number, Birthday[]>
  cursor: string
  onCursor: (date: string) => void
  onClick: (date: string) => void
  chosen: string
  hasNone: boolean
}

/** Arrow keys move by days and weeks, Page Up and Page Down by months. */
export function BirthdayCalendar({ byDay, cursor, onCursor, onClick, chosen, hasNone }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const { year, month } = monthOfDate(cursor)
  const title = formatMonthOfDate(cursor)
  const moveCursor = (event: KeyboardEvent) => {
    const step = KEY_STEPS[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    flushSync(() => onCursor(step(cursor)))
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }
  const dayAt = (day: number) => {
    const date = dayFrom({ month, year }, day)
    return (
      <CalendarDay
        date={date}
        birthdays={byDay.get(day)?.length ?? 0}
        isCursor={date === cursor}
        isChosen={date === chosen}
        onClick={onClick}
        onKeyDown={moveCursor}
      />
    )
  }
  return (
    <Panel
      title="Birthday Calendar"
      aside={
        <MonthSwitch title={title} onTurn={(months) => onCursor(addMonthsToDay(cursor, months))} />
      }
    >
      <div className={styles.room}>
        <div
          ref={grid}
          role="grid"
          aria-label={title}
          className={styles.grid}
          data-layout={useLayout()}
        >
          <CalendarWeekdays />
          {monthGrid(year, month).map((week, index) => (
            <div key={index} role="row" className={styles.week}>
              {week.map((day, column) => (
                <div key={column} role="gridcell">
                  {day !== null && dayAt(day)}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      {hasNone && (
        <p className={`${kit.muted} ${styles.none}`}>No student birthdays recorded yet</p>
      )}
    </Panel>
  )
}

type DayProps = {
  date: string
  birthdays: number
  isCursor: boolean
  isChosen: boolean
  onClick: (date: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function CalendarDay({ date, birthdays, isCursor, isChosen, onClick, onKeyDown }: DayProps) {
  const isToday = date === today()
  const hasBirthdays = birthdays > 0
  return (
    <button
      type="button"
      className={`${kit.bareButton} ${styles.day}`}
      data-birthdays={hasBirthdays}
      tabIndex={isCursor ? 0 : -1}
      aria-label={joinNonEmpty([
        formatWeekdayAndDay(date),
        isToday && 'today',
        hasBirthdays && pluralize(birthdays, 'birthday'),
      ])}
      aria-current={isToday ? 'date' : undefined}
      aria-pressed={hasBirthdays ? isChosen : undefined}
      onClick={() => onClick(date)}
      onKeyDown={onKeyDown}
    >
      {dayOfMonth(date)}
      <span className={styles.count} aria-hidden>
        {hasBirthdays && birthdays}
      </span>
    </button>
  )
}

const SUNDAY = '2023-01-01'
const inWords = (weekday: 'narrow' | 'short' | 'long') => {
  const format = new Intl.DateTimeFormat(undefined, { weekday, timeZone: 'UTC' })
  return (day: string) => format.format(utcMidnight(day))
}
const narrow = inWords('narrow'),
  short = inWords('short'),
  long = inWords('long')
const DAYS = Array.from({ length: 7 }, (_, column) => addDays(SUNDAY, column))

/** Always Sunday to Saturday, in every locale (specification, section 2). */
const CalendarWeekdays = () => (
  <div role="row" className={styles.week}>
    {DAYS.map((day) => (
      <div key={day} role="columnheader" aria-label={long(day)} className={styles.weekday}>
        <span className={styles.short}>{short(day)}</span>
        <span className={styles.narrow}>{narrow(day)}</span>
      </div>
    ))}
  </div>
)

const MonthSwitch = ({ title, onTurn }: { title: string; onTurn: (months: number) => void }) => (
  <div className={styles.month}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label="Previous month"
      onClick={() => onTurn(-1)}
    >
      <IconChevronLeft size={20} />
    </ActionIcon>
    <span className={`${kit.name} ${kit.fill} ${styles.monthName}`} aria-live="polite">
      {title}
    </span>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label="Next month"
      onClick={() => onTurn(1)}
    >
      <IconChevronRight size={20} />
    </ActionIcon>
  </div>
)
