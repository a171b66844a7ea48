import type { Analytics } from '@tatami/contract/dashboard'
import { formatMoney, formatMoneyRoundedUp } from '../lib/money.ts'
import { ChartKey } from './chart-key.tsx'
import { column, roundTop } from './chart-scale.ts'
import { CHART_HEIGHT, MonthChart } from './month-chart.tsx'
import styles from './month-chart.module.css'

/** Room for the axis' topmost label. */
const LABEL = 20

/** What was received fills what was expected. */
export function PaymentsChart({ payments }: { payments: Analytics['payments'] }) {
  const top = roundTop(Math.max(0, ...payments.map(({ expected }) => expected)))
  const high = (amount: number) => (amount / top) * (CHART_HEIGHT - LABEL)
  const now = payments.at(-1)
  return (
    <>
      {now && (
        <p className={styles.note}>
          This month: {formatMoney(now.received)} of {formatMoney(now.expected)}
        </p>
      )}
      <ChartKey
        kinds={[
          { className: styles.received, says: 'Received' },
          { className: styles.expected, says: 'Expected' },
        ]}
      />
      <MonthChart
        label="Payments by month"
        months={payments.map(({ month }) => month)}
        heads={['Expected', 'Received']}
        figures={payments.map(({ expected, received }) => [formatMoney(expected), formatMoney(received)])}
      >
        {[top, top / 2].map((amount) => (
          <line key={amount} x1="0" x2="100%" y1={CHART_HEIGHT - high(amount)} y2={CHART_HEIGHT - high(amount)} className={styles.grid} />
        ))}
        {payments.map(({ month, expected, received }, index) => {
          const { left, width } = column(index, payments.length)
          return (
            <g key={month}>
              {expected > 0 && (
                <rect x={left} width={width} y={CHART_HEIGHT - high(expected)} height={high(expected)} className={styles.expected} />
              )}
              {received > 0 && (
                <rect x={left} width={width} y={CHART_HEIGHT - high(received)} height={high(received)} className={styles.received} />
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
    </>
  )
}
