import { IconChevronDown, IconChevronUp, type Icon } from '@tabler/icons-react'
import styles from './sort-header.module.css'

type Props = {
  name: string
  /** Stands for the name on a small tablet. */
  icon?: Icon | undefined
  sorted: 'ascending' | 'descending' | undefined
  className?: string | undefined
  onSort: () => void
}

/** The head of a column that its press sorts by. */
export function SortHeader({ name, icon: Sign, sorted, className, onSort }: Props) {
  const Arrow = sorted === 'ascending' ? IconChevronUp : IconChevronDown
  return (
    <th scope="col" aria-sort={sorted ?? 'none'} className={className}>
      <button type="button" className={styles.sort} title={Sign && name} onClick={onSort}>
        {Sign && <Sign size={18} stroke={1.75} aria-hidden className={styles.icon} />}
        <span className={Sign && styles.name}>{name}</span>
        <Arrow size={14} stroke={2.5} aria-hidden className={styles.arrow} />
      </button>
    </th>
  )
}
