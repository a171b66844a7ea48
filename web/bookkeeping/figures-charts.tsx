import type { PaymentFigures } from '@tatami/contract/payment-figures'
import type { ReactNode } from 'react'
import { column, roundTop } from '../lib/chart-scale.ts'
import { formatMoney, formatMoneyRoundedUp } from '../lib/money.ts'
import { CHART_HEIGHT, ChartKey, MonthChart } from '../ui/month-chart.tsx'
import styles from './figures-charts.module.css'

type Month = PaymentFigures['months'][number]
/** Room for the axis' topmost label. */
const LABEL = 20

/** What was received fills what was expected; the rest of it stands above the line. */
export const ExpectedChart = ({ months }: { months: Month[] }) => (
  <>
    <ChartKey
      kinds={[
        { className: styles.received, says: 'Received' },
        { className: styles.expected, says: 'Expected' },
      ]}
    />
    <Columns
      label="Expected and received by month"
      months={months}
      heads={['Expected', 'Received']}
      columns={({ expected, received }) => [
        [received, styles.received],
        [expected, styles.expected],
      ]}
      figures={({ expected, received }) => [expected, received]}
    />
  </>
)

/** What was written off stands on what is still owed. */
export const OwedChart = ({ months }: { months: Month[] }) => (
  <>
    <ChartKey
      kinds={[
        { className: styles.owed, says: 'Still owed' },
        { className: styles.writtenOff, says: 'Written off' },
      ]}
    />
    <Columns
      label="Still owed and written off by month"
      months={months}
      heads={['Still owed', 'Written off']}
      columns={({ owed, written_off }) => [
        [owed + written_off, styles.writtenOff],
        [owed, styles.owed],
      ]}
      figures={({ owed, written_off }) => [owed, written_off]}
    />
  </>
)

type ColumnsProps = {
  label: string
  months: Month[]
  heads: string[]
  /** The bars of a month from the line up, drawn one over the other. */
  columns: (month: Month) => [amount: number, className: string | undefined][]
  figures: (month: Month) => number[]
}

function Columns({ label, months, heads, columns, figures }: ColumnsProps): ReactNode {
  const top = roundTop(Math.max(0, ...months.flatMap((month) => columns(month).map(([amount]) => amount))))
  const high = (amount: number) => (amount / top) * (CHART_HEIGHT - LABEL)
  return (
    <MonthChart
      label={label}
      months={months.map(({ month }) => month)}
      heads={heads}
      figures={months.map((month) => figures(month).map((amount) => formatMoney(amount)))}
    >
      {[top, top / 2].map((amount) => (
        <line key={amount} x1="0" x2="100%" y1={CHART_HEIGHT - high(amount)} y2={CHART_HEIGHT - high(amount)} className={styles.grid} />
      ))}
      {months.map((month, index) => {
        const { left, width } = column(index, months.length)
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
      <line x1="0" x2="100%" y1={CHART_HEIGHT} y2={CHART_HEIGHT} className={styles.line} />
    </MonthChart>
  )
}
