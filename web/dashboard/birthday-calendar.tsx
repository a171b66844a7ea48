import {
  addDays,
  addMonthsToDay,
  dayFrom,
  dayOfMonth,
  monthOfDate,
  utcMidnight,
} from '@tatami/contract/lib/calendar-day'
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { buildMonthGrid, type Birthday } from '@tatami/contract/dashboard/dashboard'
import { useRef, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { formatMonthOfDate, formatWeekdayAndDay, today } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import styles from './birthday-calendar.module.css'
import { DATE_MOVE_BY_KEY } from './calendar-keys.ts'
import kit from '../ui/kit.module.css'

type Props = {
  birthdaysByDay: Map<number, Birthday[]>
  /** The date that the arrow keys change. The calendar shows its month. */
  cursor: string
  onCursorChange: (date: string) => void
  onSelect: (date: string) => void
  selectedDate: string
  isEmpty: boolean
}

export function BirthdayCalendar({ isEmpty, ...gridProps }: Props) {
  const { cursor, onCursorChange } = gridProps
  return (
    <Panel title="Birthday Calendar">
      <MonthSwitch
        title={formatMonthOfDate(cursor)}
        onChange={(months) => onCursorChange(addMonthsToDay(cursor, months))}
      />
      <div className={styles.container}>
        <CalendarGrid {...gridProps} />
      </div>
      {isEmpty && (
        <p className={`${kit.muted} ${styles.empty}`}>No student birthdays recorded yet</p>
      )}
    </Panel>
  )
}

type GridProps = Omit<Props, 'isEmpty'>

function CalendarGrid({
  birthdaysByDay,
  cursor,
  onCursorChange,
  onSelect,
  selectedDate,
}: GridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const { year, month } = monthOfDate(cursor)
  const moveCursor = (event: KeyboardEvent) => {
    const moveDate = DATE_MOVE_BY_KEY[event.key]
    if (!moveDate || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    flushSync(() => onCursorChange(moveDate(cursor)))
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }
  const renderDay = (day: number) => {
    const date = dayFrom({ month, year }, day)
    return (
      <CalendarDay
        date={date}
        birthdayCount={birthdaysByDay.get(day)?.length ?? 0}
        isCursor={date === cursor}
        isSelected={date === selectedDate}
        onClick={() => onSelect(date)}
        onKeyDown={moveCursor}
      />
    )
  }
  return (
    <div ref={grid} role="grid" aria-label={formatMonthOfDate(cursor)} className={styles.grid}>
      <CalendarWeekdays />
      {buildMonthGrid(year, month).map((week, index) => (
        <div key={index} role="row" className={styles.week}>
          {week.map((day, column) => (
            <div key={column} role="gridcell">
              {day !== null && renderDay(day)}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

type DayProps = {
  date: string
  birthdayCount: number
  isCursor: boolean
  isSelected: boolean
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

function CalendarDay(props: DayProps) {
  const { date, birthdayCount, isCursor, isSelected, onClick, onKeyDown } = props
  const isToday = date === today()
  const hasBirthdays = birthdayCount > 0
  return (
    <button
      type="button"
      className={`${kit.bareButton} ${styles.day}`}
      data-birthdays={hasBirthdays}
      tabIndex={isCursor ? 0 : -1}
      aria-label={joinNonEmpty([
        formatWeekdayAndDay(date),
        isToday && 'today',
        hasBirthdays && pluralize(birthdayCount, 'birthday'),
      ])}
      aria-current={isToday ? 'date' : undefined}
      aria-pressed={hasBirthdays ? isSelected : undefined}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {dayOfMonth(date)}
      <span className={styles.count} aria-hidden>
        {hasBirthdays && birthdayCount}
      </span>
    </button>
  )
}

const ANY_SUNDAY = '2023-01-01'
const DAYS_OF_WEEK = Array.from({ length: 7 }, (_, column) => addDays(ANY_SUNDAY, column))
const createWeekdayFormatter = (weekday: 'narrow' | 'short' | 'long') => {
  const format = new Intl.DateTimeFormat(undefined, { weekday, timeZone: 'UTC' })
  return (day: string) => format.format(utcMidnight(day))
}
const formatNarrow = createWeekdayFormatter('narrow')
const formatShort = createWeekdayFormatter('short')
const formatLong = createWeekdayFormatter('long')

/** The week starts on Sunday in every locale (specification, section 2). */
const CalendarWeekdays = () => (
  <div role="row" className={styles.week}>
    {DAYS_OF_WEEK.map((day) => (
      <div key={day} role="columnheader" aria-label={formatLong(day)} className={styles.weekday}>
        <span className={styles.short}>{formatShort(day)}</span>
        <span className={styles.narrow}>{formatNarrow(day)}</span>
      </div>
    ))}
  </div>
)

type SwitchProps = { title: string; onChange: (months: number) => void }

const MonthSwitch = ({ title, onChange }: SwitchProps) => (
  <div className={styles.month}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label="Previous month"
      onClick={() => onChange(-1)}
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
      onClick={() => onChange(1)}
    >
      <IconChevronRight size={20} />
    </ActionIcon>
  </div>
)
