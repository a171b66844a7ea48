import { Snackbar } from '../ui/snackbar.tsx'
import { type Marked, useMarkPayment } from './use-mark-payment.ts'

/** Takes the last mark back: to the state and the amount that were recorded before it. */
export function UndoMark({ marked, onGone }: { marked: Marked; onGone: () => void }) {
  const { student, month, status, before } = marked
  const mark = useMarkPayment(student, { month })
  const undo = () => {
    mark(before?.payment_status ?? 'unpaid', before?.monthly_payment_amount)
    onGone()
  }
  return (
    <Snackbar act="Undo" onAct={undo} onGone={onGone}>
      {student.name} marked {status}
    </Snackbar>
  )
}
