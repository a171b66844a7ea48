import type { ReactNode } from 'react'
import { columnPosition } from '../lib/chart-scale.ts'
import { formatMonthInitial, formatMonthOfDate } from '../lib/dates.ts'
import { Disclosure } from './disclosure.tsx'
import styles from './month-chart.module.css'

type Props = { items: { className: string | undefined; label: string }[] }

export const ChartLegend = ({ items }: Props) => (
  <ul className={styles.legend}>
    {items.map(({ className, label }) => (
      <li key={label}>
        <svg width="14" height="14" aria-hidden>
          <rect x="1" y="1" width="12" height="12" rx="2" className={className} />
        </svg>
        {label}
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
  headers: string[]
  rows: (string | number)[][]
}

export const MonthChart = ({
  label,
  months,
  children,
  height = CHART_HEIGHT,
  headers,
  rows,
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
        <span key={month} style={{ left: columnPosition(index, months.length).middle }}>
          {formatMonthInitial(month)}
        </span>
      ))}
    </div>
    <MonthTable months={months} headers={headers} rows={rows} />
  </div>
)

type TableProps = Pick<MonthChartProps, 'months' | 'headers' | 'rows'>

/** The numbers of a chart, for people who cannot see it or want exact numbers. */
export const MonthTable = ({ months, headers, rows }: TableProps) => (
  <Disclosure summary="Show as a table">
    <div className={styles.scroller}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map((month, index) => (
            <tr key={month}>
              <th scope="row">{formatMonthOfDate(month)}</th>
              {rows[index]?.map((value, column) => (
                <td key={headers[column]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Disclosure>
)

type ColumnPosition = { index: number; count: number; y: number }
type ColumnProps = ColumnPosition & { height: number; className: string | undefined }

export function ChartColumn({ index, count, y, height, className }: ColumnProps) {
  const { left, width } = columnPosition(index, count)
  return height > 0 ? (
    <rect x={left} width={width} y={y} height={height} rx="2" className={className} />
  ) : null
}

export const ChartColumnNumber = ({
  index,
  count,
  y,
  children,
}: ColumnPosition & { children: number }) =>
  children > 0 && (
    <text x={columnPosition(index, count).middle} y={y}>
      {children}
    </text>
  )

export const ChartLine = ({ y, isAxis = false }: { y: number; isAxis?: boolean }) => (
  <line x1="0" x2="100%" y1={y} y2={y} className={isAxis ? styles.line : styles.grid} />
)
