import { MONTHS, firstDayOf } from '@tatami/contract/lib/calendar-day'
import { IconCheck, IconCreditCard } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { findMonthCharge, ledgerApi } from '@tatami/contract/ledger/ledger'
import type { Student, StudentPage } from '@tatami/contract/students/students'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { thisMonth } from '../lib/month.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { describeMark, describeMarkFailure, type PaymentStatus } from './mark-notice.ts'
import { LEDGER_ENDPOINTS, useReducedPrice } from './payment-reads.ts'
import type { LedgerNotice } from './undo-bar.tsx'
import { useUnpaidQuestion } from './use-unpaid-question.tsx'

const PaymentDialog = lazyComponent(() => import('./payment-dialog.tsx'), 'PaymentDialog')

type Props = {
  student: Student
  page: StudentPage | undefined
  onDone: (notice: LedgerNotice) => void
}

/** Marks the current month paid or unpaid. If nothing is due, it opens the payment dialog. */
export function PaidButton({ student, page, onDone }: Props) {
  const [isPaymentOpen, setPaymentOpen] = useState(false)
  const { price } = useReducedPrice(student)
  const { mark, isPending } = useMarkThisMonth(student, price?.amount, onDone)
  const payment = page?.payments.at(-1)
  const status = payment?.payment_status
  // A month that costs nothing is recorded as paid with $0.
  const isPaid = status === 'paid' && payment?.monthly_payment_amount !== 0
  const month = thisMonth()
  const account = useQuery(endpointQuery(ledgerApi.account, { params: { id: student.id } }))
  const isDue =
    status !== 'paid' && account.data && findMonthCharge(account.data, month) !== undefined
  const hasOlderDebt = account.data?.charges.some(
    ({ owed, charged_on }) => owed > 0 && charged_on < firstDayOf(month),
  )
  const monthName = MONTHS[month.month]
  const Icon = isPaid ? IconCheck : IconCreditCard
  const unpaidQuestion = useUnpaidQuestion(month)
  const handleClick = async () => {
    if (isPaid && unpaidQuestion.isNeeded([student]) && !(await unpaidQuestion.ask([student])))
      return
    if (isPaid) mark('unpaid')
    else if (isDue) mark('paid')
    else setPaymentOpen(true)
  }
  return (
    <>
      <BusyButton
        busy={isPending}
        busyLabel="Marking..."
        variant={isPaid ? 'light' : 'default'}
        color={isPaid ? 'green' : 'violet'}
        leftSection={<Icon size={20} aria-hidden />}
        disabled={!page || account.isPending}
        aria-label={isPaid && !isPending ? `Paid ${monthName}, mark unpaid` : undefined}
        aria-haspopup={isPaid || isDue ? undefined : 'dialog'}
        onClick={() => void handleClick()}
      >
        {isPaid && `Paid ${monthName}`}
        {!isPaid && (hasOlderDebt ? `Mark Paid · ${monthName}` : 'Mark Paid')}
      </BusyButton>
      {unpaidQuestion.dialog}
      {isPaymentOpen && (
        <PaymentDialog
          student={student}
          month={month}
          price={price?.amount}
          monthStatus={status === 'paid' ? 'settled' : 'nothing_due'}
          isForMonth
          onClose={() => setPaymentOpen(false)}
          onDone={onDone}
        />
      )}
    </>
  )
}

function useMarkThisMonth(
  student: Student,
  price: number | undefined,
  onDone: (notice: LedgerNotice) => void,
) {
  const cache = useQueryClient()
  const mutation = useEndpointMutation(paymentsApi.mark, {
    refreshes: LEDGER_ENDPOINTS,
    waitsForRefresh: true,
    onSuccess: async ({ act_id: actId }, { body: { payment_status } }) => {
      if (actId === null) return
      const message = await describeMark(cache, student, payment_status, actId)
      onDone({ actId, name: student.name, message })
    },
    onError: (error) => alertFailure(describeMarkFailure(error)),
  })
  const mark = (payment_status: PaymentStatus) => {
    const { month, year } = thisMonth()
    mutation.mutate({
      body: {
        student_id: student.id,
        payment_month: month,
        payment_year: year,
        payment_status,
        monthly_payment_amount: price ?? student.monthly_payment_amount ?? 0,
      },
    })
  }
  return { mark, isPending: mutation.isPending }
}
