import { receiptsApi } from '@tatami/contract/bookkeeping/receipts'
import type { ComponentProps } from 'react'
import { failureOf } from '../lib/api.ts'
import { useOpen } from '../lib/layout-link.tsx'
import { receiptPath } from '../lib/paths.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

type Props = Pick<ComponentProps<typeof BusyButton>, 'variant' | 'size' | 'color'> & {
  /** The press that took the money. */
  actId: string
  /** Whose receipt is meant, where one press took money of several families. */
  studentId?: string
}

/** Issues the receipt of a payment, or finds the one that it has, and opens it; says below the button why there is none. */
export function ReceiptButton({ actId, studentId, variant = 'default', ...look }: Props) {
  const open = useOpen()
  const issue = useEndpointMutation(receiptsApi.issue, {
    refreshes: [receiptsApi.list],
    onSuccess: ({ id }) => open(receiptPath(id)),
  })
  const start = () =>
    issue.mutate({
      body: { act_id: actId, ...(studentId !== undefined && { student_id: studentId }) },
    })
  return (
    <>
      <BusyButton
        {...look}
        variant={variant}
        busy={issue.isPending}
        busyLabel="Opening..."
        onClick={start}
      >
        Receipt
      </BusyButton>
      <ErrorNotice>
        {failureOf(issue, 'The receipt could not be made. Please try again.')}
      </ErrorNotice>
    </>
  )
}
