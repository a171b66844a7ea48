import { Button, VisuallyHidden } from '@mantine/core'
import type { Student } from '@tatami/contract/students'
import type { Month } from './month.ts'
import styles from './payments.module.css'
import { useKeptFocus } from './use-kept-focus.ts'
import { useMarkPayment } from './use-mark-payment.ts'

/** Each is disabled when it is so already. */
export function MarkButtons({ student, isPaid, month }: { student: Student; isPaid: boolean; month: Month }) {
  const { mark } = useMarkPayment(student, month)
  const acts = useKeptFocus()
  const who = <VisuallyHidden>{` for ${student.name}`}</VisuallyHidden>
  return (
    <div ref={acts} className={styles.acts}>
      <Button variant="light" size="sm" disabled={isPaid} onClick={() => mark('paid')}>
        Mark Paid{who}
      </Button>
      <Button variant="subtle" color="gray" size="sm" disabled={!isPaid} onClick={() => mark('unpaid')}>
        Mark Unpaid{who}
      </Button>
    </div>
  )
}
