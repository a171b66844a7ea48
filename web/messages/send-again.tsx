import { conversationsApi } from '@tatami/contract/texting/conversations'
import { textingApi } from '@tatami/contract/texting/texting'
import { useCan } from '../lib/current-user.ts'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { SEND_AGAIN } from '../texting/text-status.ts'
import { useUsage } from '../texting/usage.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

type Props = {
  batchId: string
  /** The text to send again, or null for all failed and uncertain texts of the batch */
  messageId: string | null
  name?: string
  onDone?: (textCount: number) => void
  children?: string
}

export function SendAgain({ batchId, messageId, name, onDone, children = SEND_AGAIN }: Props) {
  const { limit_reached } = useUsage()
  const sendAgain = useEndpointMutation(textingApi.sendAgain, {
    refreshes: [conversationsApi.thread, textingApi.batches, textingApi.batch, textingApi.usage],
    onSuccess: ({ total_texts }) => onDone?.(total_texts),
  })
  const canSend = useCan()(textingApi.sendAgain.right)
  const message_ids = messageId === null ? null : [messageId]
  if (!canSend) return null
  return (
    <>
      <BusyButton
        variant={messageId === null ? 'filled' : 'default'}
        size={messageId === null ? 'md' : 'sm'}
        busy={sendAgain.isPending}
        busyLabel="Queuing..."
        aria-label={name && `${children} to ${name}`}
        disabled={limit_reached}
        onClick={() => sendAgain.mutate({ params: { id: batchId }, body: { message_ids } })}
      >
        {children}
      </BusyButton>
      <ErrorNotice>
        {failureMessage(sendAgain, 'The texts could not be sent again. Please try again.')}
      </ErrorNotice>
    </>
  )
}
