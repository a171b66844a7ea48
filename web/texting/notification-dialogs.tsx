import { Stack, TextInput, Text } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { announcementsApi, newNotification, feeReminder } from '@tatami/contract/announcements'
import { errorMessage } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/drafts.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ClassCheckboxes, MessageField } from './message-fields.tsx'

type NotificationProps = { title: string; onClose: () => void; onSent: (recipients: number) => void }
type SheetProps = Pick<NotificationProps, 'title' | 'onClose'> & {
  busy: boolean
  unsent: boolean
  /** The message when sending failed. */
  failure: ReactNode
  onSubmit: ComponentProps<typeof FormDialog>['onSubmit']
  children: ReactNode
}

/** The form of a notification. It cannot be closed while it is being sent. */
const NotificationSheet = ({ title, onClose, busy, unsent, failure, onSubmit, children }: SheetProps) => (
  <FormDialog
    onClose={onClose}
    busy={busy}
    unsent={unsent}
    title={title}
    onSubmit={onSubmit}
    error={failure}
    submit="Send"
    submitting="Notifying..."
  >
    <Stack gap="md">{children}</Stack>
  </FormDialog>
)

/** Notifies all students, or those of some classes. */
export function NotificationDialog({ title, onClose, onSent }: NotificationProps) {
  const form = useSchemaForm(newNotification, { title: '', message: '', class_ids: [] as string[] })
  useDraft('notification', form)
  const send = useEndpointMutation(announcementsApi.send, {
    refreshes: [announcementsApi.list],
    onSuccess: ({ total_recipients }) => onSent(total_recipients),
    onError: form.showRefusal,
  })
  return (
    <NotificationSheet
      title={title}
      onClose={onClose}
      busy={send.isPending}
      unsent={form.isDirty()}
      failure={send.isError && errorMessage(send.error, 'Failed to send notification')}
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
    >
      <TextInput label="Title" maxLength={120} data-autofocus {...form.getInputProps('title')} />
      <MessageField {...form.getInputProps('message')} setValue={(typed) => form.setFieldValue('message', typed)} />
      <ClassCheckboxes required={false} {...form.getInputProps('class_ids')} />
    </NotificationSheet>
  )
}

const WORDS = 'Hi {name}, your fee for this month has not been paid yet. Please pay as soon as you can.'

/** Notifies the students who have not paid this month. */
export function FeeNotificationDialog({ title, onClose, onSent }: NotificationProps) {
  const form = useSchemaForm(feeReminder, { custom_message: WORDS })
  useDraft('fee-notification', form)
  const send = useEndpointMutation(announcementsApi.sendFeeReminder, {
    refreshes: [announcementsApi.list],
    onSuccess: ({ total_recipients }) => onSent(total_recipients),
    onError: form.showRefusal,
  })
  return (
    <NotificationSheet
      title={title}
      onClose={onClose}
      busy={send.isPending}
      unsent={form.isDirty()}
      failure={send.isError && errorMessage(send.error, 'Failed to send fee reminder')}
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
    >
      <Text c="dimmed">Goes to the students who have not paid this month and are neither on trial nor on vacation.</Text>
      <MessageField {...form.getInputProps('custom_message')} setValue={(typed) => form.setFieldValue('custom_message', typed)} />
    </NotificationSheet>
  )
}
