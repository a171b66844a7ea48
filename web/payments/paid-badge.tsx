import { IconCheck, IconClock } from '@tabler/icons-react'
import styles from './payments.module.css'

/** No record is unpaid, for those on trial, too; but only who is expected to pay stands out. */
export function PaidBadge({ isPaid, isTrial }: { isPaid: boolean; isTrial: boolean }) {
  const state = isPaid ? 'paid' : isTrial ? 'trial' : 'owed'
  return (
    <span className={styles.badge} data-state={state}>
      {state === 'paid' && <IconCheck size={16} aria-hidden />}
      {state === 'owed' && <IconClock size={16} aria-hidden />}
      {isPaid ? 'Paid' : 'Unpaid'}
    </span>
  )
}
