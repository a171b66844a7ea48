import { addDays } from '@tatami/contract/lib/calendar-day'
import { Title } from '@mantine/core'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { WithRight } from '../ui/with-right.tsx'
import { formatMonthAndDay, formatWeekday, today } from '../lib/dates.ts'
import type { PreloadOnHover } from '../ui/lazy-component.tsx'
import { DateState } from './date-state.tsx'
import { dateKey, formatDayTitle } from './dates.ts'
import { Fullness } from './fullness.tsx'
import { PresentCount } from './present-count.tsx'
import styles from './week-grid.module.css'
import kit from '../ui/kit.module.css'

const DAY_COUNT = 7
/** The grid shows today and the six days after it. */
export const firstDayAfterGrid = () => addDays(today(), DAY_COUNT)

type OpenProps = { onOpen: (date: DatedClass) => void; preloadOnHover: PreloadOnHover }

/** Shows the next seven days side by side, for a wide screen. */
export function WeekGrid({ dates, ...actions }: OpenProps & { dates: readonly DatedClass[] }) {
  const days = Array.from({ length: DAY_COUNT }, (_, index) => addDays(today(), index))
  return (
    <ol className={styles.week}>
      {days.map((day) => {
        const datesOfDay = dates.filter((date) => date.day === day)
        return (
          <li key={day} className={styles.day}>
            <Title order={2} id={`day-${day}`} className={styles.heading}>
              {day === today() ? 'Today' : <DayHeading day={day} />}
            </Title>
            {datesOfDay.length === 0 && <p className={kit.note}>No classes</p>}
            {datesOfDay.map((date) => (
              <DateBlock key={`${dateKey(date)} ${date.status}`} date={date} {...actions} />
            ))}
          </li>
        )
      })}
    </ol>
  )
}

/** Some dates do not fit on one line, so the heading has two. */
const DayHeading = ({ day }: { day: string }) => (
  <>
    {formatWeekday(day)} <span className={styles.date}>{formatMonthAndDay(day)}</span>
  </>
)

const DateBlock = ({ date, onOpen, preloadOnHover }: OpenProps & { date: DatedClass }) => (
  <div className={`${kit.card} ${styles.block}`} data-off={date.status !== 'on'}>
    <span className={`${kit.name} ${styles.text}`}>{date.class_name}</span>
    <span className={styles.text}>{date.time}</span>
    {date.status === 'on' && <Fullness date={date} />}
    <PresentCount date={date} />
    <DateState date={date} />
    <WithRight right="schedule">
      <button
        type="button"
        className={styles.open}
        aria-haspopup="dialog"
        aria-label={`Change ${date.class_name}, ${formatDayTitle(date.day)}`}
        onClick={() => onOpen(date)}
        {...preloadOnHover}
      />
    </WithRight>
  </div>
)
