import { receiptsApi } from '@tatami/contract/bookkeeping/receipts'
import type { ComponentProps } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useOpenPage } from '../lib/layout-link.tsx'
import { receiptPath } from '../lib/paths.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

type Props = Pick<ComponentProps<typeof BusyButton>, 'variant' | 'size' | 'color'> & {
  actId: string
  /** Required if the act took payments from several families. */
  studentId?: string
}

export function ReceiptButton({ actId, studentId, variant = 'default', ...buttonProps }: Props) {
  const open = useOpenPage()
  const issue = useEndpointMutation(receiptsApi.issue, {
    refreshes: [receiptsApi.list],
    onSuccess: ({ id }) => open(receiptPath(id)),
  })
  const issueReceipt = () =>
    issue.mutate({
      body: { act_id: actId, ...(studentId !== undefined && { student_id: studentId }) },
    })
  return (
    <>
      <BusyButton
        {...buttonProps}
        variant={variant}
        busy={issue.isPending}
        busyLabel="Opening..."
        onClick={issueReceipt}
      >
        Receipt
      </BusyButton>
      <ErrorNotice>
        {failureMessage(issue, 'The receipt could not be created. Please try again.')}
      </ErrorNotice>
    </>
  )
}
