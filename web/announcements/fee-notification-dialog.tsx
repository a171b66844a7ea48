import { Button, Stack, Text } from '@mantine/core'
import { announcementsApi, feeReminder } from '@tatami/contract/announcements'
import { explain } from '../kernel/api.ts'
import { useSchemaForm } from '../kernel/form.ts'
import { useEndpointMutation } from '../kernel/query.ts'
import { FormNotice } from '../students/form-notice.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { WordsField } from './words-field.tsx'

const WORDS = 'Hi {name}, your fee for this month has not been paid yet. Please pay as soon as you can.'

type Props = { title: string; onClose: () => void; onSent: (recipients: number) => void }

/** A notice under the bell of those who have not paid this month. */
export function FeeNotificationDialog({ title, onClose, onSent }: Props) {
  const form = useSchemaForm(feeReminder, { custom_message: WORDS })
  const send = useEndpointMutation(announcementsApi.sendFeeReminder, {
    refreshes: [announcementsApi.list],
    onSuccess: ({ total_recipients }) => onSent(total_recipients),
    onError: form.showRefusal,
  })
  const close = () => send.isPending || onClose()
  return (
    <Sheet
      opened
      onClose={close}
      title={title}
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
      actions={
        <>
          <FormNotice>{send.isError && explain(send.error, 'Failed to send fee reminder')}</FormNotice>
          <Button variant="default" onClick={onClose} disabled={send.isPending}>
            Cancel
          </Button>
          <BusyButton type="submit" busy={send.isPending} busyLabel="Notifying...">
            Send
          </BusyButton>
        </>
      }
    >
      <Stack gap="md">
        <Text c="dimmed">Goes to the students who have not paid this month and are neither on trial nor on vacation.</Text>
        <WordsField {...form.getInputProps('custom_message')} setValue={(typed) => form.setFieldValue('custom_message', typed)} />
      </Stack>
    </Sheet>
  )
}
