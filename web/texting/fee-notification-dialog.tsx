import { Text } from '@mantine/core'
import { announcementsApi, feeReminder } from '@tatami/contract/announcements'
import { explain } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/use-draft.ts'
import { type NoticeProps, NoticeSheet } from './notice-sheet.tsx'
import { WordsField } from './words-field.tsx'

const WORDS = 'Hi {name}, your fee for this month has not been paid yet. Please pay as soon as you can.'

/** A notice under the bell of those who have not paid this month. */
export function FeeNotificationDialog({ title, onClose, onSent }: NoticeProps) {
  const form = useSchemaForm(feeReminder, { custom_message: WORDS })
  useDraft('fee-notification', form)
  const send = useEndpointMutation(announcementsApi.sendFeeReminder, {
    refreshes: [announcementsApi.list],
    onSuccess: ({ total_recipients }) => onSent(total_recipients),
    onError: form.showRefusal,
  })
  return (
    <NoticeSheet
      title={title}
      onClose={onClose}
      busy={send.isPending}
      unsent={form.isDirty()}
      failure={send.isError && explain(send.error, 'Failed to send fee reminder')}
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
    >
      <Text c="dimmed">Goes to the students who have not paid this month and are neither on trial nor on vacation.</Text>
      <WordsField {...form.getInputProps('custom_message')} setValue={(typed) => form.setFieldValue('custom_message', typed)} />
    </NoticeSheet>
  )
}
