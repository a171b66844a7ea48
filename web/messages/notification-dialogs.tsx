import { TextInput, Text } from '@mantine/core'
import {
  announcementsApi,
  newAnnouncement,
  feeReminder,
} from '@tatami/contract/messages/announcements'
import { progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/drafts.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ClassCheckboxes, MessageField } from '../texting/message-fields.tsx'

type Props = { title: string; onClose: () => void; onSent: (recipients: number) => void }

const sendOptions = (onSent: Props['onSent'], onError: (error: Error) => void) => ({
  refreshes: [announcementsApi.list],
  onSuccess: ({ total_recipients }: { total_recipients: number }) => onSent(total_recipients),
  onError,
})
const BUTTON_LABELS = { submitLabel: 'Send', busyLabel: 'Notifying...' }

export function NotificationDialog({ title, onClose, onSent }: Props) {
  const form = useSchemaForm(newAnnouncement, { title: '', message: '', class_ids: [] as string[] })
  useDraft('notification', form)
  const send = useEndpointMutation(announcementsApi.send, sendOptions(onSent, form.showRefusal))
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(send, 'Failed to send notification')}
      {...BUTTON_LABELS}
    >
      <TextInput label="Title" maxLength={120} data-autofocus {...form.getInputProps('title')} />
      <MessageField
        {...form.getInputProps('message')}
        setValue={(text) => form.setFieldValue('message', text)}
      />
      <ClassCheckboxes required={false} {...form.getInputProps('class_ids')} />
    </FormDialog>
  )
}

const FEE_TEXT =
  'Hi {name}, your fee for this month has not been paid yet. Please pay as soon as you can.'

export function FeeNotificationDialog({ title, onClose, onSent }: Props) {
  const form = useSchemaForm(feeReminder, { custom_message: FEE_TEXT })
  useDraft('fee-notification', form)
  const send = useEndpointMutation(
    announcementsApi.sendFeeReminder,
    sendOptions(onSent, form.showRefusal),
  )
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(send, 'Failed to send fee reminder')}
      {...BUTTON_LABELS}
    >
      <Text c="dimmed">
        Sent to students who haven’t paid this month, except those on trial or on vacation.
      </Text>
      <MessageField
        hasAmount
        {...form.getInputProps('custom_message')}
        setValue={(text) => form.setFieldValue('custom_message', text)}
      />
    </FormDialog>
  )
}
