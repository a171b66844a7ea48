import { Button } from '@mantine/core'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { DateState } from './date-state.tsx'
import { CLASS_DATE_QUERIES, formatDayTitle, dateTarget } from './dates.ts'
import styles from './canceled-notice.module.css'
import { type DateOutcome, createRestoredOutcome } from './outcome-bar.tsx'
import kit from '../ui/kit.module.css'

const TextStudentsDialog = lazyComponent(
  () => import('./text-students-dialog.tsx'),
  'TextStudentsDialog',
)

type Props = { date: DatedClass; onRestored: (outcome: DateOutcome) => void }

export function CanceledNotice({ date, onRestored }: Props) {
  const restore = useEndpointMutation(classDatesApi.restore, {
    refreshes: CLASS_DATE_QUERIES,
    onSuccess: () => onRestored(createRestoredOutcome(date)),
  })
  return (
    <EmptyState
      action={
        date.status === 'cancelled' && (
          <WithRight right="schedule">
            <BusyButton
              variant="default"
              busy={restore.isPending}
              busyLabel="Restoring..."
              onClick={() => restore.mutate({ query: dateTarget(date) })}
            >
              Restore
            </BusyButton>
          </WithRight>
        )
      }
    >
      {date.class_name}, {formatDayTitle(date.day)}
      <br />
      <DateState date={date} />
      <ErrorNotice>
        {failureMessage(restore, 'The class could not be restored. Please try again.')}
      </ErrorNotice>
    </EmptyState>
  )
}

export function RestoredNotice({ outcome: { message, announcement } }: { outcome: DateOutcome }) {
  const can = useCan()
  const [isAnnouncing, setAnnouncing] = useState(false)
  const [sentMessage, setSentMessage] = useState('')
  return (
    <div className={`${kit.spread} ${styles.notice}`}>
      <p role="status">{sentMessage || message}</p>
      {announcement && !sentMessage && can('texts.send') && (
        <Button
          variant="light"
          onClick={() => setAnnouncing(true)}
          {...TextStudentsDialog.preloadOnHover}
        >
          Text students
        </Button>
      )}
      {announcement && isAnnouncing && (
        <TextStudentsDialog
          announcement={announcement}
          onClose={() => setAnnouncing(false)}
          onSent={(newMessage) => {
            setAnnouncing(false)
            setSentMessage(newMessage)
          }}
        />
      )}
    </div>
  )
}
