import { Stack } from '@mantine/core'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useDraft } from '../lib/drafts.ts'
import { SendButton } from '../texting/send-dialog.tsx'
import { isSendable } from '../texting/text-notes.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import sendStyles from '../texting/send-dialog.module.css'
import { describeSentTexts } from './dates.ts'
import {
  type Audience,
  hasRecipients,
  describeTextFailure,
  useSendClassText,
} from './text-students.ts'
import { TextSection } from './text-section.tsx'
import { useStudentIds } from './use-student-ids.ts'

export type ClassAnnouncement = {
  title: string
  text: string
  messageType: Audience['messageType']
  /** The text goes to the students of this date. Null means all students. */
  date: Pick<DatedClass, 'class_id' | 'students'> | null
  studentIds?: string[]
}

type Props = {
  announcement: ClassAnnouncement
  onClose: () => void
  onSent: (message: string) => void
}

const NO_CLASS_DATE = { class_id: '', students: [] }

export function TextStudentsDialog({
  announcement: { title, text: initialText, messageType, date, studentIds },
  onClose,
  onSent,
}: Props) {
  const [text, setText] = useState(initialText)
  useDraft(
    'tell-students',
    {
      values: { text },
      isDirty: () => text !== initialText,
      setValues: (draft) => setText(draft.text),
    },
    title,
  )
  const studentIdsOfDate = useStudentIds(date ?? NO_CLASS_DATE)
  const audience: Audience = {
    messageType,
    studentIds: date === null ? null : (studentIds ?? studentIdsOfDate),
  }
  const { sendText } = useSendClassText()
  const send = useMutation({
    mutationFn: () => sendText(audience, text),
    onSuccess: ({ total_texts }) => onSent(`${describeSentTexts(total_texts)}.`),
  })
  return (
    <Sheet
      opened
      onClose={onClose}
      title={title}
      busy={send.isPending}
      isDirty={text !== initialText}
      actions={
        <>
          <div className={sendStyles.notices}>
            <ErrorNotice>
              {send.error &&
                describeTextFailure(send.error, 'The text could not be sent. Please try again.')}
            </ErrorNotice>
          </div>
          <CancelButton />
          <SendButton
            busy={send.isPending}
            disabled={!isSendable(text) || !hasRecipients(audience)}
            onClick={() => send.mutate()}
          >
            Send
          </SendButton>
        </>
      }
    >
      <Stack gap="md">
        <TextSection audience={audience} value={text} onChange={setText} />
      </Stack>
    </Sheet>
  )
}
