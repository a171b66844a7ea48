import { Stack, TextInput, Text } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { announcementsApi, newNotification, feeReminder } from '@tatami/contract/announcements'
import { progressOf } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/drafts.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ClassCheckboxes, MessageField } from './message-fields.tsx'

type NotificationProps = {
  title: string
  onClose: () => void
  onSent: (recipients: number) => void
}
type NotificationFormProps = Pick<NotificationProps, 'title' | 'onClose'> & {
  isDirty: boolean
  send: { isPending: boolean; error: Error | null }
  /** Shown where the server gave no words. */
  failure: string
  onSubmit: ComponentProps<typeof FormDialog>['onSubmit']
  children: ReactNode
}

/** The dialog of both notifications. It cannot be closed while it is being sent. */
const NotificationForm = ({
  title,
  onClose,
  isDirty,
  send,
  failure,
  onSubmit,
  children,
}: NotificationFormProps) => (
  <FormDialog
    onClose={onClose}
    unsent={isDirty}
    title={title}
    onSubmit={onSubmit}
    {...progressOf(send, failure)}
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
    <NotificationForm
      title={title}
      onClose={onClose}
      isDirty={form.isDirty()}
      send={send}
      failure="Failed to send notification"
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
    >
      <TextInput label="Title" maxLength={120} data-autofocus {...form.getInputProps('title')} />
      <MessageField
        {...form.getInputProps('message')}
        setValue={(typed) => form.setFieldValue('message', typed)}
      />
      <ClassCheckboxes required={false} {...form.getInputProps('class_ids')} />
    </NotificationForm>
  )
}

const WORDS =
  'Hi {name}, your fee for this month has not been paid yet. Please pay as soon as you can.'

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
    <NotificationForm
      title={title}
      onClose={onClose}
      isDirty={form.isDirty()}
      send={send}
      failure="Failed to send fee reminder"
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
    >
      <Text c="dimmed">
        Goes to the students who have not paid this month and are neither on trial nor on vacation.
      </Text>
      <MessageField
        hasAmount
        {...form.getInputProps('custom_message')}
        setValue={(typed) => form.setFieldValue('custom_message', typed)}
      />
    </NotificationForm>
  )
}
