import { Button } from '@mantine/core'
import { formatMoney } from '@tatami/contract/lib/money'
import { type PayOverview, payApi } from '@tatami/contract/staff/pay'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { formatDuration } from '../lib/work-time.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import kit from '../ui/kit.module.css'
import { formatPeriod } from './period-picker.tsx'

type Props = { pay: PayOverview; onClosed: (id: string) => void }

export function ClosePeriod({ pay, onClosed }: Props) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const isOver = pay.until <= pay.today
  return (
    <div className={kit.row}>
      <Button disabled={!isOver} aria-haspopup="dialog" onClick={() => setDialogOpen(true)}>
        Close this period
      </Button>
      {!isOver && <p className={kit.muted}>You can close it on {formatDate(pay.until)}.</p>}
      {isDialogOpen && (
        <CloseDialog pay={pay} onClosed={onClosed} onClose={() => setDialogOpen(false)} />
      )}
    </div>
  )
}

function CloseDialog({ pay, onClosed, onClose }: Props & { onClose: () => void }) {
  const { from, until, total, unapproved, shifts } = pay
  const close = useEndpointMutation(payApi.close, {
    refreshes: [payApi.overview],
    onSuccess: ({ period }) => {
      onClose()
      onClosed(period.id)
    },
  })
  const openCount = unapproved.length + shifts.length
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => close.isPending || close.mutate({ body: { from, until } })}
      title="Close this period?"
      confirmLabel="Close"
      busyLabel="Closing..."
      {...progressProps(close, 'The period could not be closed. Please try again.')}
    >
      <div className={kit.stackSmall}>
        <p>
          {formatPeriod(pay)}: {formatDuration(total.minutes)}, {formatMoney(total.pay)}.
        </p>
        <p>A closed period never changes. Later changes are corrections in the next one.</p>
        {openCount > 0 && (
          <p>{pluralize(openCount, 'entry', 'entries')} not approved yet will be paid later.</p>
        )}
      </div>
    </ConfirmDialog>
  )
}
