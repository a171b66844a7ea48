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
import { textsWords } from './dates.ts'
import { type Audience, hasReaders, textFailure, useTell } from './tell-students.ts'
import { TextPart } from './text-part.tsx'
import { useStudentsOf } from './use-students-of.ts'

export type Tell = {
  title: string
  words: string
  kind: Audience['kind']
  /** The students of this date get the text; null means all students. */
  date: Pick<DatedClass, 'class_id' | 'students'> | null
  /** Overrides the students of the date. */
  studentIds?: string[]
}

type Props = { tell: Tell; onClose: () => void; onSent: (words: string) => void }

const NO_DATE = { class_id: '', students: [] }

export function TellDialog({
  tell: { title, words, kind, date, studentIds },
  onClose,
  onSent,
}: Props) {
  const [text, setText] = useState(words)
  useDraft(
    'tell-students',
    { values: { text }, isDirty: () => text !== words, setValues: (draft) => setText(draft.text) },
    title,
  )
  const ofDate = useStudentsOf(date ?? NO_DATE)
  const audience: Audience = { kind, studentIds: date === null ? null : (studentIds ?? ofDate) }
  const { tell } = useTell()
  const send = useMutation({
    mutationFn: () => tell(audience, text),
    onSuccess: ({ total_texts }) => onSent(`${textsWords(total_texts)}.`),
  })
  return (
    <Sheet
      opened
      onClose={onClose}
      title={title}
      busy={send.isPending}
      isDirty={text !== words}
      actions={
        <>
          <div className={sendStyles.notes}>
            <ErrorNotice>
              {send.error &&
                textFailure(send.error, 'The text could not be sent. Please try again.')}
            </ErrorNotice>
          </div>
          <CancelButton />
          <SendButton
            busy={send.isPending}
            disabled={!isSendable(text) || !hasReaders(audience)}
            onClick={() => send.mutate()}
          >
            Send
          </SendButton>
        </>
      }
    >
      <Stack gap="md">
        <TextPart audience={audience} value={text} onChange={setText} />
      </Stack>
    </Sheet>
  )
}
