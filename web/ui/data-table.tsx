import { IconChevronDown, IconChevronUp, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'
import kit from './kit.module.css'

type Props = { columns: readonly string[]; className?: string | undefined; children: ReactNode }

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

type SortHeaderProps = {
  name: string
  icon?: Icon | undefined
  order: 'ascending' | 'descending' | undefined
  className?: string | undefined
  onSort: () => void
}

export function SortHeader({ name, icon: SortIcon, order, className, onSort }: SortHeaderProps) {
  const Arrow = order === 'ascending' ? IconChevronUp : IconChevronDown
  return (
    <th scope="col" aria-sort={order ?? 'none'} className={className}>
      <button
        type="button"
        className={`${kit.bareButton} ${styles.sortButton}`}
        title={SortIcon && name}
        onClick={onSort}
      >
        {SortIcon && <SortIcon size={18} stroke={1.75} aria-hidden className={styles.icon} />}
        <span className={SortIcon && styles.name}>{name}</span>
        <Arrow size={14} stroke={2.5} aria-hidden className={styles.arrow} />
      </button>
    </th>
  )
}
