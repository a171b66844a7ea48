import { formatMoney, formatMoneyRoundedUp } from '@tatami/contract/lib/money'
import { columnPosition, roundAxisMaximum } from '../lib/chart-scale.ts'
import styles from './month-chart.module.css'
import { AXIS_LABEL_HEIGHT, CHART_HEIGHT, ChartLine, MonthChart } from './month-chart.tsx'

/** The labels of the axis, the maximum and its half, are different whole dollars. */
const MIN_AXIS_MAXIMUM = 2

type Props<M> = {
  label: string
  months: readonly M[]
  headers: string[]
  columns: (month: M) => [amount: number, className: string | undefined][]
  rowOf: (month: M) => number[]
}

/** Draws one rectangle per month for each of `columns`. All of them start at the axis. */
export function MoneyColumns<M extends { month: string }>({
  label,
  months,
  headers,
  columns,
  rowOf,
}: Props<M>) {
  const axisMaximum = roundAxisMaximum(
    Math.max(
      MIN_AXIS_MAXIMUM,
      ...months.flatMap((month) => columns(month).map(([amount]) => amount)),
    ),
  )
  const heightOf = (amount: number) => (amount / axisMaximum) * (CHART_HEIGHT - AXIS_LABEL_HEIGHT)
  return (
    <MonthChart
      label={label}
      months={months.map(({ month }) => month)}
      headers={headers}
      rows={months.map((month) => rowOf(month).map((amount) => formatMoney(amount)))}
    >
      {[axisMaximum, axisMaximum / 2].map((amount) => (
        <ChartLine key={amount} y={CHART_HEIGHT - heightOf(amount)} />
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
                    y={CHART_HEIGHT - heightOf(amount)}
                    height={heightOf(amount)}
                    className={className}
                  />
                ),
            )}
          </g>
        )
      })}
      {[axisMaximum, axisMaximum / 2].map((amount) => (
        <text key={amount} x="0" y={CHART_HEIGHT - heightOf(amount) - 5} className={styles.axis}>
          {formatMoneyRoundedUp(amount)}
        </text>
      ))}
      <ChartLine y={CHART_HEIGHT} isAxis />
    </MonthChart>
  )
}
