import { TextInput } from '@mantine/core'
import { announcementsApi, newNotification } from '@tatami/contract/announcements'
import { explain } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/use-draft.ts'
import { type NoticeProps, NoticeSheet } from './notice-sheet.tsx'
import { ClassBoxes } from './class-boxes.tsx'
import { WordsField } from './words-field.tsx'

/** A notice under the bell of all students, or of some classes. */
export function NotificationDialog({ title, onClose, onSent }: NoticeProps) {
  const form = useSchemaForm(newNotification, { title: '', message: '', class_ids: [] as string[] })
  useDraft('notification', form)
  const send = useEndpointMutation(announcementsApi.send, {
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
      failure={send.isError && explain(send.error, 'Failed to send notification')}
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
    >
      <TextInput label="Title" maxLength={120} data-autofocus {...form.getInputProps('title')} />
      <WordsField {...form.getInputProps('message')} setValue={(typed) => form.setFieldValue('message', typed)} />
      <ClassBoxes required={false} {...form.getInputProps('class_ids')} />
    </NoticeSheet>
  )
}
