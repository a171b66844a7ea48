import type { Analytics } from '@tatami/contract/dashboard'
import type { ReactNode } from 'react'
import { formatMonthOfDate } from '../lib/dates.ts'
import { formatMoney, formatMoneyRoundedUp } from '../lib/money.ts'
import { column, upAndDown, roundTop } from './chart-scale.ts'
import styles from './month-charts.module.css'

/** What each kind of column means, as it is drawn. */
const ChartKey = ({ kinds }: { kinds: { className: string | undefined; says: string }[] }) => (
  <ul className={styles.key}>
    {kinds.map(({ className, says }) => (
      <li key={says}>
        <svg width="14" height="14" aria-hidden>
          <rect x="1" y="1" width="12" height="12" rx="2" className={className} />
        </svg>
        {says}
      </li>
    ))}
  </ul>
)

const CHART_HEIGHT = 176

const initials = new Intl.DateTimeFormat(undefined, { month: 'narrow', timeZone: 'UTC' })

type MonthChartProps = {
  label: string
  months: string[]
  /** The columns, drawn into CHART_HEIGHT pixels; the whole width is 100 %. */
  children: ReactNode
  /** Each month's figures in the order of `heads`. */
  heads: string[]
  figures: (string | number)[][]
}

/** Columns by month over their initials, and the same figures as a table. Its letters keep their size at any width. */
const MonthChart = ({ label, months, children, heads, figures }: MonthChartProps) => (
  <div>
    <svg role="img" aria-label={`${label}; its figures are in the table below`} width="100%" height={CHART_HEIGHT} className={styles.chart}>
      {children}
    </svg>
    <div className={styles.months} aria-hidden>
      {months.map((month, index) => (
        <span key={month} style={{ left: column(index, months.length).middle }}>
          {initials.format(new Date(month))}
        </span>
      ))}
    </div>
    <details className={styles.details}>
      <summary className={styles.summary}>Show as a table</summary>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map((month, index) => (
            <tr key={month}>
              <th scope="row">{formatMonthOfDate(month)}</th>
              {figures[index]?.map((figure, place) => (
                <td key={heads[place]}>{figure}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  </div>
)

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
                <rect x={left} width={width} y={line - enrolled * unit} height={enrolled * unit} rx="2" className={styles.in} />
              )}
              {enrolled > 0 && (
                <text x={middle} y={line - enrolled * unit - 5}>
                  {enrolled}
                </text>
              )}
              {departed > 0 && <rect x={left} width={width} y={line + 1} height={departed * unit - 1} rx="2" className={styles.out} />}
              {departed > 0 && (
                <text x={middle} y={line + departed * unit + 14}>
                  {departed}
                </text>
              )}
            </g>
          )
        })}
        <line x1="0" x2="100%" y1={line} y2={line} className={styles.line} />
      </MonthChart>
    </>
  )
}

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
