import { firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { formatMoney, formatPartOfTotal, sumDollars } from '@tatami/contract/lib/money'
import { IconCheck, IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type AccountCharge, findMonthCharge, ledgerApi } from '@tatami/contract/ledger/ledger'
import type { StudentPage } from '@tatami/contract/students/students'
import { formatMonthOfDate } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { NOTHING_DUE } from './account-figures.ts'
import styles from './student-payments.module.css'
import { type ReducedPrice, useReducedPrice } from './payment-reads.ts'
import { describeRaisedFee } from './raised-fee.ts'
import kit from '../ui/kit.module.css'

type Payment = StudentPage['payments'][number]
type MonthState = 'paid' | 'owed' | 'nothing_due'

type Props = { page: StudentPage }

export function StudentPayments({ page: { student, payments, enrolled_on } }: Props) {
  const { data: account } = useQuery(
    endpointQuery(ledgerApi.account, { params: { id: student.id } }),
  )
  const firstMonth = firstDayOf(monthOfDate(enrolled_on))
  const currentPayment = payments.at(-1)
  const findCharge = ({ month }: Payment) => account && findMonthCharge(account, monthOfDate(month))
  const findState = (payment: Payment): MonthState => {
    if (payment.payment_status === 'paid')
      return payment.monthly_payment_amount === 0 ? 'nothing_due' : 'paid'
    if (account) return (findCharge(payment)?.owed ?? 0) > 0 ? 'owed' : 'nothing_due'
    // While the account loads, guesses what the monthly schedule charges.
    const isAway = student.on_vacation && payment === currentPayment
    const isPaying = Boolean(student.monthly_payment_amount) && !student.is_trial && !isAway
    return isPaying && payment.month >= firstMonth ? 'owed' : 'nothing_due'
  }
  // Months before the enrollment are shown only if something was charged or paid.
  const visiblePayments = payments.filter(
    (payment) =>
      payment.month >= firstMonth ||
      payment.payment_status === 'paid' ||
      findCharge(payment) !== undefined,
  )
  const { price, isPending } = useReducedPrice(student)
  // A month that was already paid keeps the price that was paid.
  const isPriceApplied =
    price &&
    (currentPayment?.payment_status !== 'paid' ||
      currentPayment.monthly_payment_amount === price.amount)
  return (
    <>
      <p className={kit.muted}>
        {formatMoney(student.monthly_payment_amount)} a month
        {student.payment_method && `, by ${student.payment_method}`}
        {(isPriceApplied || isPending) && (
          <span className={styles.reduced}>
            {isPriceApplied ? describePrice(price, student.monthly_payment_amount) : '\u00a0'}
          </span>
        )}
      </p>
      <ul className={styles.months}>
        {visiblePayments.toReversed().map((payment) => (
          <Month
            key={payment.month}
            payment={payment}
            state={findState(payment)}
            charge={findCharge(payment)}
          />
        ))}
      </ul>
    </>
  )
}

type MonthProps = { payment: Payment; state: MonthState; charge: AccountCharge | undefined }

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
          {describeOwed(charge)}
        </>
      )}
      {state === 'nothing_due' && NOTHING_DUE}
    </span>
  </li>
)

const describePrice = (price: ReducedPrice, fee: number | null | undefined) =>
  describeRaisedFee(price, fee) ?? `This month ${formatMoney(price.amount)}, ${price.reason}`

const describeOwed = (charge: AccountCharge | undefined) =>
  charge && charge.owed < charge.amount
    ? formatPartOfTotal(sumDollars([charge.amount, -charge.owed]), charge.amount)
    : 'Unpaid'
