import styles from './birthday-calendar.module.css'

const SUNDAY = Date.UTC(2023, 0, 1),
  DAY_MS = 86_400_000
const inWords = (weekday: 'narrow' | 'short' | 'long') => new Intl.DateTimeFormat(undefined, { weekday, timeZone: 'UTC' })
const narrow = inWords('narrow'),
  short = inWords('short'),
  long = inWords('long')
const DAYS = Array.from({ length: 7 }, (_, column) => SUNDAY + column * DAY_MS)

/** Sunday to Saturday, whatever the week's first day is where one lives (specification, section 2). */
export const CalendarWeekdays = () => (
  <div role="row" className={styles.week}>
    {DAYS.map((day) => (
      <div key={day} role="columnheader" aria-label={long.format(day)} className={styles.weekday}>
        <span className={styles.short}>{short.format(day)}</span>
        <span className={styles.narrow}>{narrow.format(day)}</span>
      </div>
    ))}
  </div>
)
