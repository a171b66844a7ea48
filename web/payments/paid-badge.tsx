import { IconCheck, IconClock } from '@tabler/icons-react'
import styles from './payments.module.css'

export const PaidBadge = ({ isPaid }: { isPaid: boolean }) => (
  <span className={styles.badge} data-paid={isPaid}>
    {isPaid ? <IconCheck size={16} aria-hidden /> : <IconClock size={16} aria-hidden />}
    {isPaid ? 'Paid' : 'Unpaid'}
  </span>
)
