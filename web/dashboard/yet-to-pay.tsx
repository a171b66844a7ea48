import { IconChevronRight, IconCreditCard } from '@tabler/icons-react'
import type { PaymentStatistics } from '@tatami/contract/payments'
import { ShellLink } from '../lib/shell.tsx'
import { MONTHS, thisMonth } from '../lib/month.ts'
import { pluralize } from '../lib/text.ts'
import styles from './today.module.css'

/** How many owe this month's fee, and the way to them. Nothing where it is not known, or nobody does. */
export function YetToPay({ statistics }: { statistics: PaymentStatistics | undefined }) {
  if (!statistics?.total_yet_to_pay) return null
  return (
    <ShellLink to="/payment-center?filter=yet_to_pay" className={styles.owing}>
      <IconCreditCard size={20} stroke={1.5} aria-hidden />
      <span>
        {pluralize(statistics.total_yet_to_pay, 'student')} yet to pay for {MONTHS[thisMonth().month]}
      </span>
      <IconChevronRight size={20} stroke={1.5} aria-hidden />
    </ShellLink>
  )
}
