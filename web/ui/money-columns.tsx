import { formatMoney, formatMoneyRoundedUp } from '@tatami/contract/lib/money'
import { columnPosition, roundAxisMaximum } from '../lib/chart-scale.ts'
import styles from './month-chart.module.css'
import { AXIS_LABEL_HEIGHT, CHART_HEIGHT, ChartLine, MonthChart } from './month-chart.tsx'

/** The axis has two labels, the maximum and half of it. From $2, they are different whole
 *  dollars. */
const MIN_AXIS_MAXIMUM = 2
/** Between a line and the label above it, in pixels */
const LABEL_GAP = 5

type Props<Month> = {
  label: string
  months: readonly Month[]
  headers: string[]
  columns: (month: Month) => [amount: number, className: string | undefined][]
  tableRow: (month: Month) => number[]
}

/** Draws a month's `columns` as rectangles on top of each other, all of which start at the axis. */
export function MoneyColumns<Month extends { month: string }>({
  label,
  months,
  headers,
  columns,
  tableRow,
}: Props<Month>) {
  const axisMaximum = roundAxisMaximum(
    Math.max(
      MIN_AXIS_MAXIMUM,
      ...months.flatMap((month) => columns(month).map(([amount]) => amount)),
    ),
  )
  const columnHeight = (amount: number) =>
    (amount / axisMaximum) * (CHART_HEIGHT - AXIS_LABEL_HEIGHT)
  return (
    <MonthChart
      label={label}
      months={months.map(({ month }) => month)}
      headers={headers}
      rows={months.map((month) => tableRow(month).map((amount) => formatMoney(amount)))}
    >
      {[axisMaximum, axisMaximum / 2].map((amount) => (
        <ChartLine key={amount} y={CHART_HEIGHT - columnHeight(amount)} />
      ))}
      {months.map((month, index) => {
        const { left, width } = columnPosition(index, months.length)
        return (
          <g key={month.month}>
            {columns(month).map(
              ([amount, className]) =>
                amount > 0 && (
                  <rect
                    key={className}
                    x={left}
                    width={width}
                    y={CHART_HEIGHT - columnHeight(amount)}
                    height={columnHeight(amount)}
                    className={className}
                  />
                ),
            )}
          </g>
        )
      })}
      {[axisMaximum, axisMaximum / 2].map((amount) => (
        <text
          key={amount}
          x="0"
          y={CHART_HEIGHT - columnHeight(amount) - LABEL_GAP}
          className={styles.axis}
        >
          {formatMoneyRoundedUp(amount)}
        </text>
      ))}
      <ChartLine y={CHART_HEIGHT} isAxis />
    </MonthChart>
  )
}
