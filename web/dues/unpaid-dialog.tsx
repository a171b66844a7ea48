import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import kit from '../ui/kit.module.css'

type PaidStudent = { name: string; amount: number }
type Props = {
  /** The students whose month was paid online, and how much. */
  paidStudents: readonly PaidStudent[]
  onConfirm: () => void
  onClose: () => void
}

/** Before a month is marked unpaid, says what happens to money that was paid for it online. */
export const UnpaidDialog = ({ paidStudents, onConfirm, onClose }: Props) => (
  <ConfirmDialog
    opened
    title="Paid online"
    confirmLabel="Mark unpaid"
    busy={false}
    busyLabel=""
    onClose={onClose}
    onConfirm={onConfirm}
  >
    <div className={kit.stackSmall}>
      <p>{describePaid(paidStudents)}</p>
      <p>
        Mark Unpaid refunds nothing: the money becomes credit. To give it back, open the payment
        under Payments → Money → Online and press Refund.
      </p>
    </div>
  </ConfirmDialog>
)

function describePaid(paidStudents: readonly PaidStudent[]): string {
  const [firstStudent] = paidStudents
  const total = formatMoney(sumDollars(paidStudents.map(({ amount }) => amount)))
  return firstStudent && paidStudents.length === 1
    ? `${firstStudent.name} has paid ${total} of this month online.`
    : `${paidStudents.length} of these months were paid online, ${total} in total.`
}
