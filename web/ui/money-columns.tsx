import { formatMoney, formatMoneyRoundedUp } from '@tatami/contract/lib/money'
import { columnPosition, roundAxisMaximum } from '../lib/chart-scale.ts'
import styles from './month-chart.module.css'
import { AXIS_LABEL_HEIGHT, CHART_HEIGHT, ChartLine, MonthChart } from './month-chart.tsx'

type Props<M> = {
  label: string
  months: readonly M[]
  headers: string[]
  columns: (month: M) => [amount: number, className: string | undefined][]
  rowOf: (month: M) => number[]
}

export function MoneyColumns<M extends { month: string }>({
  label,
  months,
  headers,
  columns,
  rowOf,
}: Props<M>) {
  const top = roundAxisMaximum(
    Math.max(0, ...months.flatMap((month) => columns(month).map(([amount]) => amount))),
  )
  const high = (amount: number) => (amount / top) * (CHART_HEIGHT - AXIS_LABEL_HEIGHT)
  return (
    <MonthChart
      label={label}
      months={months.map(({ month }) => month)}
      headers={headers}
      rows={months.map((month) => rowOf(month).map((amount) => formatMoney(amount)))}
    >
      {[top, top / 2].map((amount) => (
        <ChartLine key={amount} y={CHART_HEIGHT - high(amount)} />
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
                    y={CHART_HEIGHT - high(amount)}
                    height={high(amount)}
                    className={className}
                  />
                ),
            )}
          </g>
        )
      })}
      {[top, top / 2].map((amount) => (
        <text key={amount} x="0" y={CHART_HEIGHT - high(amount) - 5} className={styles.axis}>
          {formatMoneyRoundedUp(amount)}
        </text>
      ))}
      <ChartLine y={CHART_HEIGHT} isAxis />
    </MonthChart>
  )
}
