import { Button, Stack, TextInput } from '@mantine/core'
import { announcementsApi, newNotification } from '@tatami/contract/announcements'
import { explain } from '../kernel/api.ts'
import { useSchemaForm } from '../kernel/form.ts'
import { useEndpointMutation } from '../kernel/query.ts'
import { FormNotice } from '../students/form-notice.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { ClassBoxes } from './class-boxes.tsx'
import { WordsField } from './words-field.tsx'

type Props = { title: string; onClose: () => void; onSent: (recipients: number) => void }

/** A notice under the bell of all students, or of some classes. */
export function NotificationDialog({ title, onClose, onSent }: Props) {
  const form = useSchemaForm(newNotification, { title: '', message: '', class_ids: [] as string[] })
  const send = useEndpointMutation(announcementsApi.send, {
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
          <FormNotice>{send.isError && explain(send.error, 'Failed to send notification')}</FormNotice>
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
        <TextInput label="Title" maxLength={120} data-autofocus {...form.getInputProps('title')} />
        <WordsField {...form.getInputProps('message')} setValue={(typed) => form.setFieldValue('message', typed)} />
        <ClassBoxes required={false} {...form.getInputProps('class_ids')} />
      </Stack>
    </Sheet>
  )
}
