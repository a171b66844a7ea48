import type { ReactNode } from 'react'
import styles from './bar-table.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

type Row = {
  label: string
  mark?: ReactNode
  value: string
  detail?: string | false
  beside?: string
  share: number
  outline?: number
  colour?: string
}
type Props = {
  heads: string[]
  /** Puts each bar below its label, under visible heads. */
  hasColumns?: boolean
  rows: Row[]
}

/** Bars in a table, so that screen readers read the same figures. */
export const BarTable = ({ heads, hasColumns = false, rows }: Props) => (
  <div className={styles.room}>
    <table className={styles.table} data-columns={hasColumns}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {hasColumns ? head : <VisuallyHidden>{head}</VisuallyHidden>}
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

function BarRow({ label, mark, value, detail, beside, hasColumns, ...bar }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <span className={styles.label}>
          {mark}
          {mark && ' '}
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
      {beside !== undefined && <td>{beside}</td>}
    </tr>
  )
}

const Bar = ({
  share,
  outline = 0,
  colour = 'var(--violet)',
}: Pick<Row, 'share' | 'outline' | 'colour'>) => (
  <svg width="100%" height="18" aria-hidden className={styles.drawn}>
    {[
      { length: outline, fill: 'none' },
      { length: share, fill: colour },
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
