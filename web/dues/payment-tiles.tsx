import { formatMoneyRoundedUp } from '@tatami/contract/lib/money'
import type { PaymentStatistics } from '@tatami/contract/dues/payments'
import type { ListFilter } from './list-filter.ts'
import styles from './payment-tiles.module.css'
import kit from '../ui/kit.module.css'

const TILES = [
  {
    label: 'Total Monthly Paying Students',
    filter: 'paying',
    stat: 'total_monthly_paying_students',
  },
  { label: 'Paid This Month', filter: 'paid', stat: 'total_paid_this_month' },
  { label: 'Yet To Pay', filter: 'yet_to_pay', stat: 'total_yet_to_pay' },
] as const

/** "3 pay $0": paying students with nothing due, whom the other tiles leave out. Null if nobody in
 *  the school has to pay for the month. */
function describeNothingDue(statistics: PaymentStatistics, count: number): string | null {
  const { total_paid_this_month: paidCount, total_yet_to_pay: unpaidCount } = statistics
  if (count === 0 || paidCount + unpaidCount === 0) return null
  return `${count} ${count === 1 ? 'pays' : 'pay'} $0`
}

type Props = {
  statistics: PaymentStatistics | undefined
  nothingDueCount: number
  /** The payments could not be loaded, so everyone counts as unpaid. */
  isUnconfirmed: boolean
  filter: ListFilter
  onFilter: (filter: ListFilter) => void
}

export const PaymentTiles = ({
  statistics,
  nothingDueCount,
  isUnconfirmed,
  filter,
  onFilter,
}: Props) => (
  <ul className={styles.banner} aria-label="Statistics" data-unconfirmed={isUnconfirmed}>
    {TILES.map((tile) => (
      <li key={tile.stat}>
        <button
          type="button"
          className={`${kit.card} ${styles.tile}`}
          aria-pressed={tile.filter === filter}
          onClick={() => onFilter(tile.filter)}
        >
          <span className={styles.number}>{statistics?.[tile.stat] ?? '–'}</span>{' '}
          <span className={styles.label}>{tile.label}</span>{' '}
          {tile.filter === 'paying' && statistics && (
            <span className={styles.note}>{describeNothingDue(statistics, nothingDueCount)}</span>
          )}
        </button>
      </li>
    ))}
    <li className={`${kit.card} ${styles.tile}`}>
      <span className={styles.number}>
        {statistics ? formatMoneyRoundedUp(statistics.monthly_revenue) : '–'}
      </span>{' '}
      <span className={styles.label}>Monthly Revenue</span>
    </li>
  </ul>
)
