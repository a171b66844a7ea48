import { dayOfMonth } from '@tatami/contract/lib/calendar-day'
import { formatMonthInitial, today } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { ChartLegend } from '../ui/month-chart.tsx'
import { createHeatMapCells, type HeatMapDay } from './heat-map-year.ts'
import styles from './year-heat-map.module.css'

const CELL_STEP = 10
const CELL_SIZE = 8

type Props = {
  firstDay: string
  /** Only days with marks. The student was present on a day if they came to at least one class. */
  days: readonly HeatMapDay[]
}

/** Draws a square for each day up to today. Each column is a week from Sunday to Saturday. */
export function YearHeatMap({ firstDay, days }: Props) {
  const cells = createHeatMapCells(firstDay, today(), days)
  const weekCount = (cells.at(-1)?.week ?? 0) + 1
  const presentDays = cells.filter(({ state }) => state === 'present').length
  const label = `Came on ${pluralize(presentDays, 'day')} in the last 12 months`
  return (
    <div>
      <p className={styles.label}>{label}</p>
      <svg
        role="img"
        aria-label={`${label}. The table below has the numbers`}
        viewBox={`0 0 ${weekCount * CELL_STEP} ${7 * CELL_STEP}`}
        className={styles.map}
      >
        {cells.map(({ day, week, weekday, state }) => (
          <rect
            key={day}
            x={week * CELL_STEP + 1}
            y={weekday * CELL_STEP + 1}
            width={CELL_SIZE}
            height={CELL_SIZE}
            rx={2}
            className={styles[state]}
          />
        ))}
      </svg>
      <div className={styles.months} aria-hidden>
        {cells
          .filter(({ day }) => dayOfMonth(day) === 1)
          .map(({ day, week }) => (
            <span key={day} style={{ left: `${(week / weekCount) * 100}%` }}>
              {formatMonthInitial(day)}
            </span>
          ))}
      </div>
      <ChartLegend
        items={[
          { className: styles.present, label: 'Present' },
          { className: styles.absent, label: 'Absent' },
        ]}
      />
    </div>
  )
}
