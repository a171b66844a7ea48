import { formatMoney } from '@tatami/contract/money'
import type { Analytics } from '@tatami/contract/dashboard'
import { column, upAndDown } from '../lib/chart-scale.ts'
import { AXIS_LABEL_HEIGHT, CHART_HEIGHT, ChartKey, MonthChart } from '../ui/month-chart.tsx'
import { MoneyColumns } from '../ui/money-columns.tsx'
import chart from '../ui/month-chart.module.css'
import styles from './month-charts.module.css'
import kit from '../ui/kit.module.css'

/** Room for the numbers over and under the columns. */
const NUMBER = 18

/** Those who came stand on the line, those who left hang from it. */
export function MovementsChart({ movements }: { movements: Analytics['movements'] }) {
  const scale = upAndDown(
    movements.map(({ enrolled }) => enrolled),
    movements.map(({ departed }) => departed),
    CHART_HEIGHT - 2 * NUMBER,
  )
  const { unit } = scale,
    line = scale.line + NUMBER
  return (
    <>
      <ChartKey
        kinds={[
          { className: styles.in, says: 'Enrolled' },
          { className: styles.out, says: 'Left' },
        ]}
      />
      <MonthChart
        label="Enrollments and departures by month"
        months={movements.map(({ month }) => month)}
        heads={['Enrolled', 'Left']}
        figures={movements.map(({ enrolled, departed }) => [enrolled, departed])}
      >
        {movements.map(({ month, enrolled, departed }, index) => {
          const { left, width, middle } = column(index, movements.length)
          return (
            <g key={month}>
              {enrolled > 0 && (
                <rect
                  x={left}
                  width={width}
                  y={line - enrolled * unit}
                  height={enrolled * unit}
                  rx="2"
                  className={styles.in}
                />
              )}
              {enrolled > 0 && (
                <text x={middle} y={line - enrolled * unit - 5}>
                  {enrolled}
                </text>
              )}
              {departed > 0 && (
                <rect
                  x={left}
                  width={width}
                  y={line + 1}
                  height={Math.max(1, departed * unit - 1)}
                  rx="2"
                  className={styles.out}
                />
              )}
              {departed > 0 && (
                <text x={middle} y={line + departed * unit + 14}>
                  {departed}
                </text>
              )}
            </g>
          )
        })}
        <line x1="0" x2="100%" y1={line} y2={line} className={chart.line} />
      </MonthChart>
    </>
  )
}

const inPercent = (share: number) => `${Math.round(share * 100)}%`

/** How many of those who were there when a month began were there at its end. */
export function StayedChart({ movements }: { movements: Analytics['movements'] }) {
  const high = (share: number) => share * (CHART_HEIGHT - AXIS_LABEL_HEIGHT)
  const shares = movements.map(({ at_start, stayed }) => (at_start > 0 ? stayed / at_start : null))
  return (
    <>
      <p className={kit.muted}>Of those who were there when the month began</p>
      <MonthChart
        label="Students who stayed by month"
        months={movements.map(({ month }) => month)}
        heads={['Joined', 'Left', 'Stayed', 'Of those there']}
        figures={movements.map(({ enrolled, departed, stayed }, index) => {
          const share = shares[index] ?? null
          return [enrolled, departed, stayed, share === null ? 'nobody yet' : inPercent(share)]
        })}
      >
        {[1, 0.5].map((share) => (
          <line
            key={share}
            x1="0"
            x2="100%"
            y1={CHART_HEIGHT - high(share)}
            y2={CHART_HEIGHT - high(share)}
            className={chart.grid}
          />
        ))}
        {shares.map((share, index) => {
          const { left, width } = column(index, shares.length)
          if (!share) return null
          return (
            <rect
              key={index}
              x={left}
              width={width}
              y={CHART_HEIGHT - high(share)}
              height={high(share)}
              rx="2"
              className={styles.in}
            />
          )
        })}
        {[1, 0.5].map((share) => (
          <text key={share} x="0" y={CHART_HEIGHT - high(share) - 5} className={chart.axis}>
            {inPercent(share)}
          </text>
        ))}
        <line x1="0" x2="100%" y1={CHART_HEIGHT} y2={CHART_HEIGHT} className={chart.line} />
      </MonthChart>
    </>
  )
}

/** What was received fills what was expected. */
export function PaymentsChart({ payments }: { payments: Analytics['payments'] }) {
  const now = payments.at(-1)
  return (
    <>
      {now && (
        <p className={kit.muted}>
          This month: {formatMoney(now.received)} of {formatMoney(now.expected)}
        </p>
      )}
      <ChartKey
        kinds={[
          { className: styles.received, says: 'Received' },
          { className: styles.expected, says: 'Expected' },
        ]}
      />
      <MoneyColumns
        label="Payments by month"
        months={payments}
        heads={['Expected', 'Received']}
        columns={({ expected, received }) => [
          [expected, styles.expected],
          [received, styles.received],
        ]}
        figures={({ expected, received }) => [expected, received]}
      />
    </>
  )
}
