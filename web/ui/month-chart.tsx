import type { ReactNode } from 'react'
import { column } from '../lib/chart-scale.ts'
import { formatMonthInitial, formatMonthOfDate } from '../lib/dates.ts'
import styles from './month-chart.module.css'

type Props = { kinds: { className: string | undefined; says: string }[] }

export const ChartKey = ({ kinds }: Props) => (
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

export const CHART_HEIGHT = 176
export const AXIS_LABEL_HEIGHT = 20

type MonthChartProps = {
  label: string
  months: string[]
  children: ReactNode
  height?: number
  heads: string[]
  figures: (string | number)[][]
}

/** Columns by month with the same figures as a table. Text keeps its size at any width. */
export const MonthChart = ({
  label,
  months,
  children,
  height = CHART_HEIGHT,
  heads,
  figures,
}: MonthChartProps) => (
  <div>
    <svg
      role="img"
      aria-label={`${label}. The table below has the numbers`}
      width="100%"
      height={height}
      className={styles.chart}
    >
      {children}
    </svg>
    <div className={styles.months} aria-hidden>
      {months.map((month, index) => (
        <span key={month} style={{ left: column(index, months.length).middle }}>
          {formatMonthInitial(month)}
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

type Place = { index: number; of: number; y: number }
type ColumnProps = Place & { height: number; className: string | undefined }

export function Column({ index, of, y, height, className }: ColumnProps) {
  const { left, width } = column(index, of)
  return height > 0 ? (
    <rect x={left} width={width} y={y} height={height} rx="2" className={className} />
  ) : null
}

export const ColumnNumber = ({ index, of, y, children }: Place & { children: number }) =>
  children > 0 && (
    <text x={column(index, of).middle} y={y}>
      {children}
    </text>
  )

export const ChartLine = ({ y, isAxis = false }: { y: number; isAxis?: boolean }) => (
  <line x1="0" x2="100%" y1={y} y2={y} className={isAxis ? styles.line : styles.grid} />
)
