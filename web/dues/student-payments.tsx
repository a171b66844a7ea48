import { firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { formatMoney, formatPartOfTotal, sumDollars } from '@tatami/contract/lib/money'
import { IconCheck, IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type AccountCharge, chargeOf, ledgerApi } from '@tatami/contract/ledger/ledger'
import type { StudentPage } from '@tatami/contract/students/students'
import { formatMonthOfDate } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { NOTHING_DUE } from './account-figures.ts'
import styles from './student-payments.module.css'
import { type ReducedPrice, useReducedPrice } from './payment-reads.ts'
import { raisedFeeWords } from './price-words.ts'
import kit from '../ui/kit.module.css'

type Payment = StudentPage['payments'][number]
type State = 'paid' | 'owed' | 'none'

type Props = { page: StudentPage }

export function StudentPayments({ page: { student, payments, enrolled_on } }: Props) {
  const { data: account } = useQuery(
    endpointQuery(ledgerApi.account, { params: { id: student.id } }),
  )
  const chargeIn = ({ month }: Payment) => account && chargeOf(account, monthOfDate(month))
  const stateOf = (payment: Payment): State => {
    if (payment.payment_status === 'paid')
      return payment.monthly_payment_amount === 0 ? 'none' : 'paid'
    if (account) return (chargeIn(payment)?.owed ?? 0) > 0 ? 'owed' : 'none'
    const isNow = payment === payments.at(-1)
    const owesNothing =
      !student.monthly_payment_amount ||
      student.is_trial ||
      (isNow && student.on_vacation) ||
      payment.month < firstDayOf(monthOfDate(enrolled_on))
    return owesNothing ? 'none' : 'owed'
  }
  // Months before the enrollment only show if something was charged or paid.
  const shownPayments = payments.filter(
    (payment) =>
      payment.month >= firstDayOf(monthOfDate(enrolled_on)) ||
      payment.payment_status === 'paid' ||
      chargeIn(payment) !== undefined,
  )
  const { price, isPending } = useReducedPrice(student)
  const currentPayment = payments.at(-1)!
  // A paid month keeps its recorded price.
  const isShown =
    price &&
    (currentPayment.payment_status === 'unpaid' ||
      currentPayment.monthly_payment_amount === price.amount)
  return (
    <>
      <p className={kit.muted}>
        {formatMoney(student.monthly_payment_amount)} a month
        {student.payment_method && `, by ${student.payment_method}`}
        {(isShown || isPending) && (
          <span className={styles.reduced}>
            {isShown ? priceWords(price, student.monthly_payment_amount) : '\u00a0'}
          </span>
        )}
      </p>
      <ul className={styles.months}>
        {shownPayments.toReversed().map((payment) => (
          <Month
            key={payment.month}
            payment={payment}
            state={stateOf(payment)}
            charge={chargeIn(payment)}
          />
        ))}
      </ul>
    </>
  )
}

type MonthProps = { payment: Payment; state: State; charge: AccountCharge | undefined }

const Month = ({ payment: { month, monthly_payment_amount }, state, charge }: MonthProps) => (
  <li className={`${kit.note} ${styles.month}`} data-state={state}>
    <span className={styles.name}>{formatMonthOfDate(month)}</span>
    <span className={`${kit.inline} ${styles.state}`}>
      {state === 'paid' && (
        <>
          <IconCheck size={16} aria-hidden />
          Paid {formatMoney(monthly_payment_amount)}
        </>
      )}
      {state === 'owed' && (
        <>
          <IconClock size={16} aria-hidden />
          {owedText(charge)}
        </>
      )}
      {state === 'none' && NOTHING_DUE}
    </span>
  </li>
)

const priceWords = (price: ReducedPrice, fee: number | null | undefined) =>
  raisedFeeWords(price, fee) ?? `This month ${formatMoney(price.amount)}, ${price.reason}`

/** "$50 of $95" for a partial payment. */
const owedText = (charge: AccountCharge | undefined) =>
  charge && charge.owed < charge.amount
    ? formatPartOfTotal(sumDollars([charge.amount, -charge.owed]), charge.amount)
    : 'Unpaid'
