import { VisuallyHidden } from '@mantine/core'
import styles from './bar-table.module.css'

type Row = {
  label: string
  /** What stands at the end of the bar. */
  said: string
  /** The bar's length, 0 to 1. */
  share: number
  colour?: string
}

/** Bars that are a table, so that everybody reads the same figures. `heads` name its two columns. */
export const BarTable = ({ heads: [what, how], rows }: { heads: [string, string]; rows: Row[] }) => (
  <div className={styles.room}>
    <table className={styles.table}>
      <thead>
        <tr>
          {[what, how].map((head) => (
            <th key={head} scope="col">
              <VisuallyHidden>{head}</VisuallyHidden>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, said, share, colour = 'var(--violet)' }) => (
          <tr key={label}>
            <th scope="row">
              <span className={styles.label}>{label}</span>
            </th>
            <td>
              <div className={styles.bar}>
                <svg width="100%" height="18" aria-hidden>
                  {share > 0 && <rect x="0" y="0.5" width={`${share * 100}%`} height="17" rx="3" fill={colour} stroke="var(--edge)" />}
                </svg>
                {said}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
