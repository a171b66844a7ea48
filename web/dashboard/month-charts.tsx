import { formatPercent } from '@tatami/contract/lib/percent'
import { formatMoney } from '@tatami/contract/lib/money'
import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { twoSidedScale } from '../lib/chart-scale.ts'
import {
  AXIS_LABEL_HEIGHT,
  CHART_HEIGHT,
  ChartLegend,
  ChartLine,
  ChartColumn,
  ChartColumnNumber,
  MonthChart,
} from '../ui/month-chart.tsx'
import { MoneyColumns } from '../ui/money-columns.tsx'
import chart from '../ui/month-chart.module.css'
import styles from './month-charts.module.css'
import kit from '../ui/kit.module.css'

// All lengths are in SVG units. The first is the space for a number above or below its column.
const NUMBER_HEIGHT = 18
const NUMBER_BASELINE = 14
const LABEL_GAP = 5
/** The chart has a line at 100% and at 50%. */
const GRID_SHARES = [1, 0.5]

export function MovementsChart({ movements }: { movements: Analytics['movements'] }) {
  const { zeroLineY, unitHeight: heightPerStudent } = twoSidedScale(
    movements.map(({ enrolled }) => enrolled),
    movements.map(({ departed }) => departed),
    CHART_HEIGHT - 2 * NUMBER_HEIGHT,
  )
  const axisY = zeroLineY + NUMBER_HEIGHT
  return (
    <>
      <ChartLegend
        items={[
          { className: styles.primary, label: 'Enrolled' },
          { className: styles.departed, label: 'Left' },
        ]}
      />
      <MonthChart
        label="Enrollments and departures by month"
        months={movements.map(({ month }) => month)}
        headers={['Enrolled', 'Left']}
        rows={movements.map(({ enrolled, departed }) => [enrolled, departed])}
      >
        {movements.map(({ month, enrolled, departed }, index) => {
          const column = { index, count: movements.length }
          const enrolledHeight = enrolled * heightPerStudent
          const departedHeight = departed * heightPerStudent
          return (
            <g key={month}>
              <ChartColumn
                {...column}
                y={axisY - enrolledHeight}
                height={enrolledHeight}
                className={styles.primary}
              />
              <ChartColumnNumber {...column} y={axisY - enrolledHeight - LABEL_GAP}>
                {enrolled}
              </ChartColumnNumber>
              <ChartColumn
                {...column}
                y={axisY + 1}
                height={departed > 0 ? Math.max(1, departedHeight - 1) : 0}
                className={styles.departed}
              />
              <ChartColumnNumber {...column} y={axisY + departedHeight + NUMBER_BASELINE}>
                {departed}
              </ChartColumnNumber>
            </g>
          )
        })}
        <ChartLine y={axisY} isAxis />
      </MonthChart>
    </>
  )
}

const formatShare = (share: number) => formatPercent(share * 100)

export function StayedChart({ movements }: { movements: Analytics['movements'] }) {
  const toHeight = (share: number) => share * (CHART_HEIGHT - AXIS_LABEL_HEIGHT)
  const shares = movements.map(({ at_start, stayed }) => (at_start > 0 ? stayed / at_start : null))
  return (
    <>
      <p className={kit.muted}>Of the students at the start of each month</p>
      <MonthChart
        label="Students who stayed by month"
        months={movements.map(({ month }) => month)}
        headers={['Joined', 'Left', 'Stayed', 'Share']}
        rows={movements.map(({ enrolled, departed, stayed }, index) => {
          const share = shares[index] ?? null
          return [enrolled, departed, stayed, share === null ? 'none yet' : formatShare(share)]
        })}
      >
        {GRID_SHARES.map((share) => (
          <ChartLine key={share} y={CHART_HEIGHT - toHeight(share)} />
        ))}
        {shares.map((share, index) => (
          <ChartColumn
            key={index}
            index={index}
            count={shares.length}
            y={CHART_HEIGHT - toHeight(share ?? 0)}
            height={toHeight(share ?? 0)}
            className={styles.primary}
          />
        ))}
        {GRID_SHARES.map((share) => (
          <text
            key={share}
            x="0"
            y={CHART_HEIGHT - toHeight(share) - LABEL_GAP}
            className={chart.axis}
          >
            {formatShare(share)}
          </text>
        ))}
        <ChartLine y={CHART_HEIGHT} isAxis />
      </MonthChart>
    </>
  )
}

export function PaymentsChart({ payments }: { payments: Analytics['payments'] }) {
  const currentMonth = payments.at(-1)
  return (
    <>
      {currentMonth && (
        <p className={kit.muted}>
          This month: {formatMoney(currentMonth.received)} of {formatMoney(currentMonth.expected)}
        </p>
      )}
      <ChartLegend
        items={[
          { className: styles.received, label: 'Received' },
          { className: styles.expected, label: 'Expected' },
        ]}
      />
      <MoneyColumns
        label="Payments by month"
        months={payments}
        headers={['Expected', 'Received']}
        columns={({ expected, received }) => [
          [expected, styles.expected],
          [received, styles.received],
        ]}
        tableRow={({ expected, received }) => [expected, received]}
      />
    </>
  )
}
