import { IconChevronRight, IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { paymentsApi } from '@tatami/contract/payments'
import { endpointQuery } from '../kernel/query.ts'
import { ShellLink } from '../kernel/shell.tsx'
import { MONTHS, thisMonth } from '../payments/month.ts'
import { counted } from '../kernel/counted.ts'
import styles from './today.module.css'

/** How many owe this month's fee, and the way to them. Nothing while it is not known, or nobody does. */
export function YetToPay() {
  const month = thisMonth()
  const { data } = useQuery(endpointQuery(paymentsApi.statistics, { query: month }))
  if (!data?.total_yet_to_pay) return null
  return (
    <ShellLink to="/payment-center?filter=yet_to_pay" className={styles.owing}>
      <IconCreditCard size={20} stroke={1.5} aria-hidden />
      <span>{counted(data.total_yet_to_pay, 'student')} yet to pay for {MONTHS[month.month]}</span>
      <IconChevronRight size={20} stroke={1.5} aria-hidden />
    </ShellLink>
  )
}
