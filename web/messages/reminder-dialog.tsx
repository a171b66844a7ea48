import { Stack, Text } from '@mantine/core'
import { REMINDER_TEXTS, type Reminder } from '@tatami/contract/texting/message-types'
import { useState } from 'react'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { errorMessage, isNetworkError, newIdempotencyKey } from '../lib/api.ts'
import { formatMonthOfDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { REMINDER_DETAILS } from '../texting/bulk-messages.ts'
import { Recipients } from '../texting/recipients.tsx'
import {
  type SendResult,
  createFailureResult,
  createSuccessResult,
  useSendResult,
} from '../texting/result-banner.tsx'
import kit from '../ui/kit.module.css'
import { SEND_AGAIN } from '../texting/text-status.ts'
import { ReminderText } from '../texting/text-notes.tsx'
import {
  DeliveryNote,
  SendButton,
  UnconfirmedNotice,
  SendNotices,
} from '../texting/send-dialog.tsx'

type Props = { reminder: Reminder; onClose: () => void; onSent: (result: SendResult) => void }

export function ReminderDialog({ reminder, onClose, onSent }: Props) {
  const { recipientPreview, isPending, result, isUnconfirmed, send } = useReminder(reminder, onSent)
  const { data, isError } = recipientPreview
  const [isConfirming, setConfirming] = useState(false)
  const { name } = REMINDER_DETAILS[reminder]
  const text = REMINDER_TEXTS[reminder]
  const month = data ? formatMonthOfDate(data.month) : 'this month'
  const needsConfirmation = !isUnconfirmed && data?.has_gone_out !== false
  return (
    <Sheet
      opened
      onClose={onClose}
      title={name}
      busy={isPending}
      actions={
        <>
          <SendNotices
            result={result}
            unconfirmedNotice={<UnconfirmedNotice cause={isUnconfirmed ? 'unanswered' : null} />}
          />
          <CancelButton>Close</CancelButton>
          <SendButton
            busy={isPending}
            disabled={!data && !isError}
            onClick={needsConfirmation ? () => setConfirming(true) : send}
          >
            Send
          </SendButton>
        </>
      }
    >
      <Stack gap="md">
        <DeliveryNote />
        <ReminderText text={text} />
        {!data && !isError && <SkeletonBlock height="1.5rem" />}
        {data && <ReminderMonth month={month} wasSent={data.has_gone_out} />}
        <Recipients message={text} preview={recipientPreview} />
      </Stack>
      {isConfirming && (
        <SendAgainQuestion
          name={name}
          month={month}
          wasChecked={data !== undefined}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false)
            send()
          }}
        />
      )}
    </Sheet>
  )
}

const ReminderMonth = ({ month, wasSent }: { month: string; wasSent: boolean }) => (
  <Text>
    For the <strong>{month}</strong> fee.
    {wasSent && <strong className={kit.orange}> It was already sent for this month.</strong>}
  </Text>
)

type QuestionProps = {
  name: string
  month: string
  wasChecked: boolean
  onClose: () => void
  onConfirm: () => void
}

const SendAgainQuestion = ({ name, month, wasChecked, onClose, onConfirm }: QuestionProps) => (
  <ConfirmDialog
    opened
    onClose={onClose}
    title={`Send ${name} again?`}
    confirmLabel={SEND_AGAIN}
    busy={false}
    busyLabel=""
    onConfirm={onConfirm}
  >
    {wasChecked
      ? `${name} was already sent for ${month}. Everyone who still hasn’t paid will get it again.`
      : `We couldn’t check whether ${name} was already sent for ${month}.`}
  </ConfirmDialog>
)

type ReminderRequest = { idempotencyKey: string; query: { unless_sent?: 'true' } }
/** Requests without a response. A retry repeats them unchanged, so that no one gets two texts. */
const unansweredRequests = new Map<Reminder, ReminderRequest>()

/** With `unless_sent`, the server refuses if another instructor has already sent the reminder. */
function useReminder(reminder: Reminder, onSent: (result: SendResult) => void) {
  const { name, send } = REMINDER_DETAILS[reminder]
  const cache = useQueryClient()
  const previewQuery = endpointQuery(textingApi.previewReminder, { params: { reminder } })
  const preview = useQuery({ ...previewQuery, staleTime: 0 })
  const { result, show } = useSendResult()
  const { mutate, isPending } = useEndpointMutation(send, {
    refreshes: [textingApi.usage, textingApi.batches, textingApi.reminderSettings],
    onSuccess: ({ total_recipients }) =>
      onSent(createSuccessResult(name.toUpperCase(), total_recipients)),
    onError: (error) =>
      show(
        createFailureResult(
          name.toUpperCase(),
          errorMessage(error, 'Failed to send automated reminder'),
        ),
      ),
    onSettled: (_, error) => {
      if (!isNetworkError(error)) unansweredRequests.delete(reminder)
      return cache.invalidateQueries(previewQuery)
    },
  })
  const newRequest = (): ReminderRequest => ({
    idempotencyKey: newIdempotencyKey(),
    query: preview.data?.has_gone_out === false ? { unless_sent: 'true' } : {},
  })
  const { data, isError, isFetching, refetch } = preview
  return {
    recipientPreview: {
      isComplete: true,
      data,
      isError: isError && !data,
      isStale: isFetching,
      refetch: () => void refetch(),
    },
    isPending,
    result,
    isUnconfirmed: !isPending && unansweredRequests.has(reminder),
    send: () => {
      show(null)
      const request = unansweredRequests.get(reminder) ?? newRequest()
      unansweredRequests.set(reminder, request)
      mutate(request)
    },
  }
}
