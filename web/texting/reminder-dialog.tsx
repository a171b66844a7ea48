import { Stack, Text } from '@mantine/core'
import { REMINDER_TEXTS, SAMPLE_NAME, fillTemplate, type Reminder } from '@tatami/contract/message-types'
import { useState } from 'react'
import { showMonth } from '../lib/dates.ts'
import { NightNotice } from './night-notice.tsx'
import { SendButton } from './send-button.tsx'
import { SimulatorBanner } from './simulator-banner.tsx'
import type { Result } from './use-result.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { WaitingBlock } from '../ui/waiting-block.tsx'
import { DoubtNote } from './doubt-note.tsx'
import { Recipients } from './recipients.tsx'
import styles from './reminder-dialog.module.css'
import { REMINDER_WORDS } from './reminder-words.ts'
import { SendingNotes } from './sending-notes.tsx'
import { useReminder } from './use-reminder.ts'

type Props = { reminder: Reminder; onClose: () => void; onSent: (result: Result) => void }

/** A reminder as it reads, who would get it now, and one press that sends it; asks first when it has gone out for the month. */
export function ReminderDialog({ reminder, onClose, onSent }: Props) {
  const {
    preview: { data, isError, isFetching, refetch },
    isPending,
    result,
    inDoubt,
    send,
  } = useReminder(reminder, onSent)
  const [isAsking, ask] = useState(false)
  const { name } = REMINDER_WORDS[reminder],
    words = REMINDER_TEXTS[reminder]
  const month = data ? showMonth(data.month) : 'this month'
  return (
    <Sheet
      opened
      onClose={onClose}
      title={name}
      busy={isPending}
      actions={
        <>
          <SendingNotes result={result} doubt={<DoubtNote doubt={inDoubt ? 'unanswered' : null} />} />
          <CancelButton>Close</CancelButton>
          <SendButton
            busy={isPending}
            disabled={!data && !isError}
            onClick={() => (inDoubt || data?.has_gone_out === false ? send() : ask(true))}
          >
            Send
          </SendButton>
        </>
      }
    >
      <Stack gap="md">
        <SimulatorBanner isInDialog />
        <NightNotice />
        <figure className={styles.template}>
          <figcaption>The text, as {SAMPLE_NAME} would get it</figcaption>
          <p>{fillTemplate(words, SAMPLE_NAME)}</p>
        </figure>
        {!data && !isError && <WaitingBlock height="1.5rem" />}
        {data && (
          <Text>
            For the fee of <strong>{month}</strong>.
            {data.has_gone_out && <strong className={styles.gone}> It has gone out for this month.</strong>}
          </Text>
        )}
        <Recipients
          words={words}
          preview={{ canKnow: true, data, isError: isError && !data, isStale: isFetching, refetch: () => void refetch() }}
        />
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => ask(false)}
        title={`Send ${name} once more?`}
        confirm="Send once more"
        busy={false}
        busyLabel=""
        onConfirm={() => {
          ask(false)
          send()
        }}
      >
        <Text>
          {data
            ? `${name} has already gone out for ${month}. Everyone who still has not paid gets it a second time.`
            : `Nobody could say whether ${name} has already gone out for ${month}.`}
        </Text>
      </ConfirmDialog>
    </Sheet>
  )
}
