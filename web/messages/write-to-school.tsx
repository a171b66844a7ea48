import { Text, Textarea } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import {
  SCHOOL_MESSAGE_MAX,
  newSchoolMessage,
  schoolMessagesApi,
} from '@tatami/contract/messages/school-messages'
import { useQuery } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { withoutLineBreaks } from '../lib/dates.ts'
import { drafts, useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { formatPhone } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { MessageDialog } from '../ui/message-dialogs.tsx'
import { OwnSchoolMessages, ownSchoolMessagesQuery } from './own-school-messages.tsx'

const DRAFT_KEY = 'school-message'
const SEND_FAILED_MESSAGE = 'The message could not be sent. Please try again.'
const OFFLINE_MESSAGE = 'You are offline. Your message is kept.'

type Props = { replyPhone: string; onClose: () => void }

export function WriteToSchool({ replyPhone, onClose }: Props) {
  const form = useSchemaForm(newSchoolMessage, { text: '' })
  const { data: ownMessages } = useQuery(ownSchoolMessagesQuery)
  const send = useEndpointMutation(schoolMessagesApi.write, {
    refreshes: [schoolMessagesApi.list],
    onSuccess: () => drafts.take(DRAFT_KEY, ''),
    onError: form.showRefusal,
  })
  const isDirty = () => !send.isSuccess && form.isDirty()
  useDraft(DRAFT_KEY, { ...form, isDirty })
  // The phone may discard the page while there is no network.
  useWindowEvent('pagehide', drafts.storeOpenForms)
  const phone = withoutLineBreaks(formatPhone(replyPhone))
  const replyNote = `Your school will reply by text to ${phone}.`
  if (send.isSuccess)
    return (
      <MessageDialog title="Message sent" role="alertdialog" button="OK" onClose={onClose}>
        <Text>{replyNote}</Text>
      </MessageDialog>
    )
  return (
    <FormDialog
      onClose={onClose}
      title="Write to the school"
      onSubmit={form.send((body) => send.isPending || send.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(send, navigator.onLine ? SEND_FAILED_MESSAGE : OFFLINE_MESSAGE)}
      submitLabel="Send"
      busyLabel="Sending the message..."
    >
      <Textarea
        {...form.getInputProps('text')}
        label="Message"
        description={`${replyNote} Not your number? Ask your instructor.`}
        required
        autosize
        minRows={4}
        maxRows={12}
        maxLength={SCHOOL_MESSAGE_MAX}
        data-autofocus
      />
      {ownMessages && (
        <OwnSchoolMessages
          messages={ownMessages.messages}
          showsAnswers={ownMessages.shows_answers}
        />
      )}
    </FormDialog>
  )
}
