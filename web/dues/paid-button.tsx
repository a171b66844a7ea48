import { MONTHS, firstDayOf } from '@tatami/contract/lib/calendar-day'
import { Button } from '@mantine/core'
import { IconCheck, IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { chargeOf, ledgerApi } from '@tatami/contract/ledger/ledger'
import type { Student, StudentPage } from '@tatami/contract/students/students'
import { useState } from 'react'
import { thisMonth } from '../lib/month.ts'
import { endpointQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { useReducedPrice } from './payment-reads.ts'
import type { Done } from './undo-bar.tsx'
import { useMarkOnPage } from './use-mark-paid.ts'

const PaymentDialog = lazyComponent(() =>
  import('./payment-dialog.tsx').then((part) => part.PaymentDialog),
)

type Props = {
  student: Student
  page: StudentPage | undefined
  onDone: (done: Done) => void
}

/** Marks the current month paid; pressed again, unpaid. Where nothing is due, it opens the sheet of payments. */
export function PaidButton({ student, page, onDone }: Props) {
  const [isPaymentOpen, setPaymentOpen] = useState(false)
  const { price } = useReducedPrice(student)
  const now = page?.payments.at(-1)
  const isSettled = now?.payment_status === 'paid'
  const isPaid = isSettled && now.monthly_payment_amount !== 0
  const month = thisMonth()
  const account = useQuery(endpointQuery(ledgerApi.account, { params: { id: student.id } }))
  const isDue = !isSettled && account.data && chargeOf(account.data, month) !== undefined
  const hasOlderDebt = account.data?.charges.some(
    ({ owed, charged_on }) => owed > 0 && charged_on < firstDayOf(month),
  )
  const monthName = MONTHS[month.month]!
  const markWords = hasOlderDebt ? `Mark Paid · ${monthName}` : 'Mark Paid'
  const mark = useMarkOnPage(student, onDone)
  const press = () => {
    if (isPaid) void mark('unpaid')
    else if (isDue) void mark('paid')
    else setPaymentOpen(true)
  }
  return (
    <>
      <Button
        variant={isPaid ? 'light' : 'default'}
        color={isPaid ? 'green' : 'violet'}
        leftSection={
          isPaid ? <IconCheck size={20} aria-hidden /> : <IconCreditCard size={20} aria-hidden />
        }
        disabled={!page || account.isPending}
        aria-label={isPaid ? `Paid ${monthName}, mark unpaid` : undefined}
        aria-haspopup={isPaid || isDue ? undefined : 'dialog'}
        onClick={press}
      >
        {isPaid ? `Paid ${monthName}` : markWords}
      </Button>
      {isPaymentOpen && (
        <PaymentDialog
          student={student}
          month={month}
          price={price?.amount}
          standing={isSettled ? 'settled' : 'nothing_due'}
          isForMonth
          onClose={() => setPaymentOpen(false)}
          onDone={onDone}
        />
      )}
    </>
  )
}
