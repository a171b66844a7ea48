import { Button } from '@mantine/core'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { DateState } from './date-state.tsx'
import { DATE_READS, dayTitle, targetOf } from './dates.ts'
import styles from './off-notice.module.css'
import { type Outcome, restoredOutcome } from './outcome-bar.tsx'
import kit from '../ui/kit.module.css'

const TellDialog = lazyComponent(() => import('./tell-dialog.tsx'), 'TellDialog')

type Props = { date: DatedClass; onRestored: (outcome: Outcome) => void }

/** Replaces the roll of a class that is canceled on this day. */
export function OffNotice({ date, onRestored }: Props) {
  const restore = useEndpointMutation(classDatesApi.restore, {
    refreshes: DATE_READS,
    onSuccess: () => onRestored(restoredOutcome(date)),
  })
  return (
    <EmptyState
      action={
        date.status === 'cancelled' && (
          <BusyButton
            variant="default"
            busy={restore.isPending}
            busyLabel="Restoring..."
            onClick={() => restore.mutate({ query: targetOf(date) })}
          >
            Restore
          </BusyButton>
        )
      }
    >
      {date.class_name}, {dayTitle(date.day)}
      <br />
      <DateState date={date} />
      <ErrorNotice>
        {failureMessage(restore, 'The class could not be restored. Please try again.')}
      </ErrorNotice>
    </EmptyState>
  )
}

export function RestoredNotice({ outcome: { words, tell } }: { outcome: Outcome }) {
  const [isTelling, setTelling] = useState(false)
  const [sentText, setSentText] = useState('')
  return (
    <div className={`${kit.spread} ${styles.restored}`}>
      <p role="status">{sentText || words}</p>
      {tell && !sentText && (
        <Button variant="light" onClick={() => setTelling(true)} {...TellDialog.preloadOnHover}>
          Text students
        </Button>
      )}
      {tell && isTelling && (
        <TellDialog
          tell={tell}
          onClose={() => setTelling(false)}
          onSent={(texts) => {
            setTelling(false)
            setSentText(texts)
          }}
        />
      )}
    </div>
  )
}
