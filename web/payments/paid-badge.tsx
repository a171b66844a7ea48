import { IconCheck, IconClock, IconQuestionMark } from '@tabler/icons-react'
import type { PaymentState } from './payment-state.ts'
import styles from './payments.module.css'

const ICONS = { paid: IconCheck, owed: IconClock, unconfirmed: IconQuestionMark, trial: undefined }

/** No record is unpaid, for those on trial, too; but only who is expected to pay stands out. */
export function PaidBadge({ state, isTrial }: { state: PaymentState; isTrial: boolean }) {
  const look = state === 'unpaid' ? (isTrial ? 'trial' : 'owed') : state
  const Icon = ICONS[look]
  return (
    <span className={styles.state}>
      <span className={styles.badge} data-state={look}>
        {Icon && <Icon size={16} aria-hidden />}
        {state === 'paid' ? 'Paid' : 'Unpaid'}
      </span>
      {state === 'unconfirmed' && <span className={styles.about}> not confirmed</span>}
    </span>
  )
}
