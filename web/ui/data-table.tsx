import type { ReactNode } from 'react'
import styles from './data-table.module.css'

type Props = { columns: readonly string[]; className?: string | undefined; children: ReactNode }

/** A list as a desktop shows it: a row for each, under the names of its columns. */
export const DataTable = ({ columns, className = '', children }: Props) => (
  <table className={`${styles.table} ${className}`}>
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    {children}
  </table>
)
