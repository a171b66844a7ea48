import { Button, VisuallyHidden } from '@mantine/core'
import type { Student } from '@tatami/contract/students'
import type { PaymentState } from './payment-state.ts'
import styles from './payments.module.css'
import { useKeptFocus } from './use-kept-focus.ts'
import { type MarkOptions, useMarkPayment } from './use-mark-payment.ts'

/** Each is disabled when it is so already, and both while it is not known how it is. */
export function MarkButtons({ student, state, ...options }: { student: Student; state: PaymentState } & MarkOptions) {
  const mark = useMarkPayment(student, options)
  const acts = useKeptFocus()
  const who = <VisuallyHidden>{` for ${student.name}`}</VisuallyHidden>
  return (
    <div ref={acts} className={styles.acts}>
      <Button variant="light" size="sm" disabled={state !== 'unpaid'} onClick={() => mark('paid')}>
        Mark Paid{who}
      </Button>
      <Button variant="subtle" color="gray" size="sm" disabled={state !== 'paid'} onClick={() => mark('unpaid')}>
        Mark Unpaid{who}
      </Button>
    </div>
  )
}
