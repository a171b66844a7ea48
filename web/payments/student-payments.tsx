import { IconCheck, IconClock } from '@tabler/icons-react'
import type { StudentPage } from '@tatami/contract/students'
import { formatMonthOfDate } from '../lib/dates.ts'
import { formatMoney } from '../lib/money.ts'
import styles from './student-payments.module.css'
import { useReducedPrice } from './payment-reads.ts'

type Payment = StudentPage['payments'][number]
type State = 'paid' | 'owed' | 'none'

/** The last twelve months, newest first: paid and how much, or unpaid. Before the enrolment, on trial and on vacation nothing is owed. */
export function StudentPayments({
  page: { student, payments, enrolled_on },
}: {
  page: StudentPage
}) {
  const stateOf = ({ month, payment_status }: Payment): State => {
    if (payment_status === 'paid') return 'paid'
    const isNow = month === payments.at(-1)!.month
    const owesNothing =
      student.is_trial || (isNow && student.on_vacation) || month < `${enrolled_on.slice(0, 7)}-01`
    return owesNothing ? 'none' : 'owed'
  }
  const { price, isPending } = useReducedPrice(student)
  const now = payments.at(-1)!
  // A month that is marked paid keeps what was recorded.
  const isShown =
    price && (now.payment_status === 'unpaid' || now.monthly_payment_amount === price.amount)
  return (
    <>
      <p className={styles.fee}>
        {formatMoney(student.monthly_payment_amount)} a month
        {student.payment_method && `, by ${student.payment_method}`}
        {(isShown || isPending) && (
          <span className={styles.reduced}>
            {isShown ? `This month ${formatMoney(price.amount)}, ${price.reason}` : '\u00a0'}
          </span>
        )}
      </p>
      <ul className={styles.months}>
        {payments.toReversed().map((payment) => (
          <Month key={payment.month} payment={payment} state={stateOf(payment)} />
        ))}
      </ul>
    </>
  )
}

const Month = ({
  payment: { month, monthly_payment_amount },
  state,
}: {
  payment: Payment
  state: State
}) => (
  <li className={styles.month} data-state={state}>
    <span className={styles.name}>{formatMonthOfDate(month)}</span>
    <span className={styles.state}>
      {state === 'paid' && <IconCheck size={16} aria-hidden />}
      {state === 'owed' && <IconClock size={16} aria-hidden />}
      {state === 'paid'
        ? `Paid ${formatMoney(monthly_payment_amount)}`
        : state === 'owed'
          ? 'Unpaid'
          : 'Nothing due'}
    </span>
  </li>
)
