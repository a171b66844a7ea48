import { Stack } from '@mantine/core'
import type { DatedClass } from '@tatami/contract/class-dates'
import { useState } from 'react'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { SendButton, UNANSWERED } from '../texting/send-dialog.tsx'
import { isSendable } from '../texting/text-notes.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import sendStyles from '../texting/send-dialog.module.css'
import { textsWords } from './dates.ts'
import { type Audience, hasReaders, useTell } from './tell-students.ts'
import { TextPart } from './text-part.tsx'
import { useStudentsOf } from './use-students-of.ts'

export type Tell = {
  title: string
  /** What stands there already. */
  words: string
  kind: Audience['kind']
  /** Of which date, whose students get it; null for everybody. */
  date: Pick<DatedClass, 'class_id' | 'students'> | null
  /** Those who get it, where others do than have to do with the date now. */
  studentIds?: string[]
}

type Props = { tell: Tell; onClose: () => void; onSent: (words: string) => void }

const NOBODY = { class_id: '', students: [] }

/** Texts the students of a date, or everybody, with the words ready. */
export function TellDialog({
  tell: { title, words, kind, date, studentIds },
  onClose,
  onSent,
}: Props) {
  const [text, setText] = useState(words)
  useDraft(
    'tell-students',
    { values: { text }, isDirty: () => text !== words, setValues: (kept) => setText(kept.text) },
    title,
  )
  const ofDate = useStudentsOf(date ?? NOBODY)
  const audience: Audience = { kind, studentIds: date === null ? null : (studentIds ?? ofDate) }
  const { tell, isPending } = useTell()
  const [error, setError] = useState<unknown>(null)
  const send = async () => {
    setError(null)
    try {
      onSent(`${textsWords((await tell(audience, text)).total_texts)}.`)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Sheet
      opened
      onClose={onClose}
      title={title}
      busy={isPending}
      unsent={text !== words}
      actions={
        <>
          <div className={sendStyles.notes}>
            <ErrorNotice>
              {error !== null &&
                (isNetworkError(error)
                  ? UNANSWERED
                  : errorMessage(error, 'The text could not be sent. Please try again.'))}
            </ErrorNotice>
          </div>
          <CancelButton />
          <SendButton
            busy={isPending}
            disabled={!isSendable(text) || !hasReaders(audience)}
            onClick={() => void send()}
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
