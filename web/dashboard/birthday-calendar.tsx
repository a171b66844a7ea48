import { monthOfDate } from '@tatami/contract/month'
import { monthGrid, type Birthday } from '@tatami/contract/dashboard'
import { useRef, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { calendarDate, formatMonthOfDate } from '../lib/dates.ts'
import { useShell } from '../lib/shell.tsx'
import styles from './birthday-calendar.module.css'
import { CalendarDay } from './calendar-day.tsx'
import { inMonths, STEPS } from './calendar-steps.ts'
import { CalendarWeekdays } from './calendar-weekdays.tsx'
import { MonthSwitch } from './month-switch.tsx'
import { Panel } from './panel.tsx'

type Props = {
  byDay: Map<number, Birthday[]>
  /** Where the keyboard stands. */
  cursor: string
  onCursor: (date: string) => void
  onClick: (date: string) => void
  /** The day whose birthdays are shown, '' for none. */
  chosen: string
  hasNone: boolean
}

/** A month from Sunday to Saturday. The arrow keys walk its days, and on into the next month; Page Up and Page Down turn months. */
export function BirthdayCalendar({ byDay, cursor, onCursor, onClick, chosen, hasNone }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const { year, month } = monthOfDate(cursor)
  const title = formatMonthOfDate(cursor)
  const walk = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    flushSync(() => onCursor(step(cursor)))
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }
  const dayAt = (day: number) => {
    const date = calendarDate(year, month, day)
    return (
      <CalendarDay
        date={date}
        birthdays={byDay.get(day)?.length ?? 0}
        isCursor={date === cursor}
        isChosen={date === chosen}
        onClick={onClick}
        onKeyDown={walk}
      />
    )
  }
  return (
    <Panel title="Birthday Calendar" aside={<MonthSwitch title={title} onTurn={(months) => onCursor(inMonths(cursor, months))} />}>
      <div className={styles.room}>
        <div ref={grid} role="grid" aria-label={title} className={styles.grid} data-shell={useShell()}>
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
      {hasNone && <p className={styles.none}>No student birthdays recorded yet</p>}
    </Panel>
  )
}
