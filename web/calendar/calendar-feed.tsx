import { Button } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { calendarFeedsApi } from '@tatami/contract/calendar/calendar-feeds'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { FeedLoading } from './feed-loading.tsx'
import kit from '../ui/kit.module.css'

const DESCRIPTIONS = {
  instructor: (beltTests: string) => `All classes and ${beltTests} at your dojo`,
  guardian: (beltTests: string) => `Your children’s classes and ${beltTests}`,
  student: (beltTests: string) => `Your classes and ${beltTests}`,
}

/** The calendar address is private, so it is shown only once, after it was created. */
export function CalendarFeed({ userRole }: { userRole: keyof typeof DESCRIPTIONS }) {
  const feed = useRetryingQuery(endpointQuery(calendarFeedsApi.read))
  const [isReplacing, setReplacing] = useState(false)
  const mutationOptions = { refreshes: [calendarFeedsApi.read] }
  const renew = useEndpointMutation(calendarFeedsApi.renew, {
    ...mutationOptions,
    onSuccess: () => setReplacing(false),
  })
  const remove = useEndpointMutation(calendarFeedsApi.remove, {
    ...mutationOptions,
    onSuccess: renew.reset,
  })
  if (feed.isUnavailable)
    return <RetryNotice onRetry={feed.retry}>The calendar address could not be loaded.</RetryNotice>
  if (!feed.data) return <FeedLoading />
  const url = renew.data?.url
  const createdAt = feed.data.created_at
  const error = renew.error ?? remove.error
  const failure = failureMessage({ error }, 'This could not be saved. Please try again.')
  return (
    <div className={kit.stackSmall}>
      <p className={kit.muted}>
        {DESCRIPTIONS[userRole](schoolBeltTestName().plural)} in the calendar on your phone or
        computer, always up to date. Anyone with the address can read it.
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
      <FeedButtons
        url={url}
        hasAddress={createdAt !== null}
        isRenewing={renew.isPending}
        isRemoving={remove.isPending}
        onRenew={() => (createdAt === null ? renew.mutate() : setReplacing(true))}
        onRemove={() => remove.mutate()}
      />
      <ErrorNotice>{!isReplacing && failure}</ErrorNotice>
      <ConfirmDialog
        opened={isReplacing}
        onClose={() => setReplacing(false)}
        onConfirm={() => renew.mutate()}
        title="Create a new address?"
        confirmLabel="Create"
        danger
        busy={renew.isPending}
        busyLabel="Creating..."
        error={failure}
      >
        The old address stops working right away. Calendars that use it need the new one.
      </ConfirmDialog>
    </div>
  )
}

type ButtonsProps = {
  url: string | undefined
  hasAddress: boolean
  isRenewing: boolean
  isRemoving: boolean
  onRenew: () => void
  onRemove: () => void
}

const FeedButtons = ({
  url,
  hasAddress,
  isRenewing,
  isRemoving,
  onRenew,
  onRemove,
}: ButtonsProps) => (
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
    <BusyButton variant="default" busy={isRenewing} busyLabel="Creating..." onClick={onRenew}>
      {hasAddress ? 'New address' : 'Create a calendar address'}
    </BusyButton>
    {hasAddress && (
      <BusyButton
        variant="subtle"
        color="red"
        busy={isRemoving}
        busyLabel="Turning off..."
        onClick={onRemove}
      >
        Turn off
      </BusyButton>
    )}
  </div>
)
