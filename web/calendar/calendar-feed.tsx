import { Button } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { calendarFeedsApi } from '@tatami/contract/calendar/calendar-feeds'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { beltTest } from '../lib/belt-test.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { FeedLoading } from './feed-loading.tsx'
import kit from '../ui/kit.module.css'

const CONTENTS = {
  instructor: (beltTests: string) => `All classes and ${beltTests} at your dojo`,
  guardian: (beltTests: string) => `Your children’s classes and ${beltTests}`,
  student: (beltTests: string) => `Your classes and ${beltTests}`,
}

/** The private calendar address is shown once, when it is created. */
export function CalendarFeed({ of }: { of: keyof typeof CONTENTS }) {
  const feed = useRetryingQuery(endpointQuery(calendarFeedsApi.read))
  const [isReplacing, setReplacing] = useState(false)
  const how = { refreshes: [calendarFeedsApi.read] }
  const renew = useEndpointMutation(calendarFeedsApi.renew, {
    ...how,
    onSuccess: () => setReplacing(false),
  })
  const remove = useEndpointMutation(calendarFeedsApi.remove, { ...how, onSuccess: renew.reset })
  if (feed.isUnavailable)
    return <RetryNotice onRetry={feed.retry}>The calendar address could not be loaded.</RetryNotice>
  if (!feed.data) return <FeedLoading />
  const url = renew.data?.url
  const createdAt = feed.data.created_at
  const error = renew.error ?? remove.error
  return (
    <div className={kit.stackSmall}>
      <p className={kit.muted}>
        {CONTENTS[of](beltTest().plural)} in the calendar on your phone or computer, always up to
        date. Anyone with the address can read it.
      </p>
      {url && (
        <>
          <CopyField label="Calendar address" value={url} />
          <p className={kit.muted}>We show it only once. Copy it, or open it in your calendar.</p>
        </>
      )}
      {!url && createdAt !== null && (
        <p>You created your address on {formatInstantDate(createdAt)}.</p>
      )}
      <div className={kit.row}>
        {url && (
          <Button
            component="a"
            href={url.replace(/^https?:/, 'webcal:')}
            leftSection={<IconCalendarShare size={20} aria-hidden />}
          >
            Open in calendar
          </Button>
        )}
        <BusyButton
          variant="default"
          busy={renew.isPending}
          busyLabel="Creating..."
          onClick={() => (createdAt === null ? renew.mutate() : setReplacing(true))}
        >
          {createdAt === null ? 'Create a calendar address' : 'Renew'}
        </BusyButton>
        {createdAt !== null && (
          <BusyButton
            variant="subtle"
            color="red"
            busy={remove.isPending}
            busyLabel="Ending..."
            onClick={() => remove.mutate()}
          >
            End
          </BusyButton>
        )}
      </div>
      <ErrorNotice>
        {error && !isReplacing && errorMessage(error, 'This could not be saved. Please try again.')}
      </ErrorNotice>
      <ConfirmDialog
        opened={isReplacing}
        onClose={() => setReplacing(false)}
        onConfirm={() => renew.mutate()}
        title="Create a new address?"
        confirm="Renew"
        danger
        busy={renew.isPending}
        busyLabel="Creating..."
        error={error && errorMessage(error, 'This could not be saved. Please try again.')}
      >
        The old address stops working right away. Calendars that use it need the new one.
      </ConfirmDialog>
    </div>
  )
}
