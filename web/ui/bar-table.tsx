import type { ReactNode } from 'react'
import styles from './bar-table.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

type Row = {
  label: string
  icon?: ReactNode
  value: string
  detail?: string | false
  lastCell?: ReactNode
  /** The length of the bar, from 0 to 1. */
  share: number
  /** The length of an outline behind the bar, from 0 to 1. */
  outline?: number
  color?: string
}
type Props = {
  headers: string[]
  /** Shows the headers, and the value in its own column instead of in the bar. */
  hasColumns?: boolean
  rows: Row[]
}

export const BarTable = ({ headers, hasColumns = false, rows }: Props) => (
  <div className={styles.container}>
    <table className={styles.table} data-columns={hasColumns}>
      <thead>
        <tr>
          {headers.map((header) => (
            <th key={header} scope="col">
              {hasColumns ? header : <VisuallyHidden>{header}</VisuallyHidden>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <BarRow key={row.label} hasColumns={hasColumns} {...row} />
        ))}
      </tbody>
    </table>
  </div>
)

type RowProps = Row & { hasColumns: boolean }

function BarRow({ label, icon, value, detail, lastCell, hasColumns, ...bar }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <span className={styles.label}>
          {icon}
          {icon && ' '}
          {label}
        </span>
        {hasColumns && <Bar {...bar} />}
      </th>
      {hasColumns ? (
        <td>{value}</td>
      ) : (
        <td>
          <div className={styles.bar}>
            <Bar {...bar} />
            {value}
            {detail && <span className={styles.detail}>{detail}</span>}
          </div>
        </td>
      )}
      {lastCell !== undefined && <td>{lastCell}</td>}
    </tr>
  )
}

const Bar = ({
  share,
  outline = 0,
  color = 'var(--violet)',
}: Pick<Row, 'share' | 'outline' | 'color'>) => (
  <svg width="100%" height="18" aria-hidden className={styles.svg}>
    {[
      { length: outline, fill: 'none' },
      { length: share, fill: color },
    ].map(
      ({ length, fill }) =>
        length > 0 && (
          <rect
            key={fill}
            x="0"
            width={`${length * 100}%`}
            height="100%"
            rx="3"
            fill={fill}
            stroke="var(--edge)"
          />
        ),
    )}
  </svg>
)
