import type { ButtonProps } from '@mantine/core'
import { textingApi } from '@tatami/contract/texting'
import type { ReactNode } from 'react'
import { explain } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import classes from './send-again.module.css'
import { useUsage } from './use-usage.ts'

type Props = {
  batchId: string
  onDone: (count: number) => void
  children: ReactNode
  variant: NonNullable<ButtonProps['variant']>
  /** One text; without it all that failed or are uncertain. */
  only?: { id: string; name: string }
}

/** Sends once more what failed or is uncertain, off today's allowance. */
export function SendAgain({ batchId, onDone, only, children, variant }: Props) {
  const { batches, batch, usage } = textingApi
  const { limit_reached } = useUsage()
  const again = useEndpointMutation(textingApi.sendAgain, {
    refreshes: [batches, batch, usage],
    onSuccess: ({ total_recipients }) => onDone(total_recipients),
  })
  return (
    <div className={classes.again}>
      <BusyButton
        variant={variant}
        size={only ? 'sm' : 'md'}
        busy={again.isPending}
        busyLabel="Queuing..."
        aria-label={only && `Send again to ${only.name}`}
        disabled={limit_reached}
        onClick={() => again.mutate({ params: { id: batchId }, body: { message_ids: only ? [only.id] : null } })}
      >
        {children}
      </BusyButton>
      <ErrorNotice>{again.error && explain(again.error, 'The texts could not be sent again. Please try again.')}</ErrorNotice>
    </div>
  )
}
