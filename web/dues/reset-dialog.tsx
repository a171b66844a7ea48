import type { Month } from '@tatami/contract/lib/calendar-day'
import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Text } from '@mantine/core'
import type { PaymentRecord } from '@tatami/contract/ledger/payment-records'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { onlineStudentsApi } from '@tatami/contract/online-payment/online-students'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { formatMonth } from '../lib/month.ts'
import type { LedgerNotice } from './undo-bar.tsx'
import { LEDGER_ENDPOINTS } from './payment-reads.ts'

type Props = {
  month: Month
  payments: PaymentRecord[] | undefined
  onClose: () => void
  onReset: (notice: LedgerNotice) => void
}

export function ResetDialog({ month, payments, onClose, onReset }: Props) {
  const { data: paidMonths } = useAllowedQuery(onlineStudentsApi.paidMonth, { query: month })
  const { mutate, isPending } = useEndpointMutation(paymentsApi.reset, {
    refreshes: LEDGER_ENDPOINTS,
    onSuccess: ({ students_reset, total_paying_students, act_id: actId, total }) => {
      onClose()
      alert(
        'Monthly payments reset completed!\n\n' +
          `${students_reset} out of ${total_paying_students} paying students were reset.`,
      )
      const undoneAmount = `${formatMoney(Math.abs(total))} undone`
      const message = joinNonEmpty([
        `${formatMonth(month)} reset`,
        pluralize(students_reset, 'student'),
        undoneAmount,
      ])
      if (actId !== null) onReset({ actId, message })
    },
    onError: (error) =>
      alertFailure(`Failed to reset monthly payments: ${errorMessage(error, 'Unknown error')}`),
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Reset ${formatMonth(month)}?`}
      confirmLabel="Reset"
      busy={isPending}
      busyLabel="Resetting..."
      danger
      onConfirm={() => mutate({ body: { payment_month: month.month, payment_year: month.year } })}
    >
      {payments && (
        <Text fw={600} mb="sm">
          {pluralize(payments.length, 'payment')},{' '}
          {formatMoney(sumDollars(payments.map((payment) => payment.monthly_payment_amount)))}
        </Text>
      )}
      <Text>
        Every paying student becomes unpaid for {formatMonth(month)}. Other months don’t change.
      </Text>
      {paidMonths && paidMonths.length > 0 && (
        <Text mt="sm">
          {pluralize(paidMonths.length, 'payment was', 'payments were')} made online. Nothing is
          refunded: this money becomes credit.
        </Text>
      )}
    </ConfirmDialog>
  )
}
