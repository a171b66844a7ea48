import type { PaymentFilter, PaymentStatistics } from '@tatami/contract/payments'
import { showMoneyRoundedUp } from '../lib/money.ts'
import styles from './statistics-banner.module.css'

const TILES = [
  { label: 'Total Monthly Paying Students', filter: 'all', stat: 'total_monthly_paying_students' },
  { label: 'Paid This Month', filter: 'paid', stat: 'total_paid_this_month' },
  { label: 'Yet To Pay', filter: 'yet_to_pay', stat: 'total_yet_to_pay' },
] as const

type Props = { statistics: PaymentStatistics | undefined; filter: PaymentFilter; onFilter: (filter: PaymentFilter) => void }

/** The month at a glance; the first three tiles filter the list. A dash while the figures are not known. */
export const StatisticsBanner = ({ statistics, filter, onFilter }: Props) => (
  <ul className={styles.banner} aria-label="Statistics">
    {TILES.map((tile) => (
      <li key={tile.stat}>
        <button type="button" className={styles.tile} aria-pressed={tile.filter === filter} onClick={() => onFilter(tile.filter)}>
          <span className={styles.number}>{statistics?.[tile.stat] ?? '–'}</span> <span className={styles.label}>{tile.label}</span>
        </button>
      </li>
    ))}
    <li className={styles.tile}>
      <span className={styles.number}>{statistics ? showMoneyRoundedUp(statistics.monthly_revenue) : '–'}</span>{' '}
      <span className={styles.label}>Monthly Revenue</span>
    </li>
  </ul>
)
