import { Stack, Textarea } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/bulk-message'
import { conversationsApi } from '@tatami/contract/conversations'
import type { StudentPhone } from '@tatami/contract/student-phones'
import { textingApi } from '@tatami/contract/texting'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { formatPhone, pluralize } from '../lib/text.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import sendStyles from './send-dialog.module.css'
import { LimitNotice, NightNotice, SendButton, UNANSWERED } from './send-dialog.tsx'
import { SimulatorBanner } from './simulator-banner.tsx'
import { TemplateSelect, withTemplate } from './templates.tsx'
import styles from './text-person-dialog.module.css'

type Props = {
  studentId: string
  name: string
  /** Under which the text is kept while it is not sent. */
  draftKey: string
  onClose: () => void
  /** How many texts went out. */
  onSent?: (texts: number) => void
}

/** Texts one student: their phones, and those of the family that get texts about them. */
export function TextPersonDialog({ studentId, name, draftKey, onClose, onSent }: Props) {
  const [text, setText] = useState('')
  useDraft(draftKey, { values: { text }, isDirty: () => text !== '', setValues: (kept: { text: string }) => setText(kept.text) }, studentId)
  const phones = useQuery(endpointQuery(conversationsApi.studentPhones, { params: { id: studentId } }))
  const send = useEndpointMutation(conversationsApi.textStudents, {
    refreshes: [conversationsApi.thread, conversationsApi.conversations, textingApi.usage],
    onSuccess: ({ total_texts }) => {
      onSent?.(total_texts)
      onClose()
    },
  })
  const reached = phones.data?.filter(isTexted)
  const failed =
    send.error && (isNetworkError(send.error) ? UNANSWERED : errorMessage(send.error, 'The message could not be sent. Please try again.'))
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`Text ${name}`}
      busy={send.isPending}
      unsent={text !== ''}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '' && !send.isPending) send.mutate({ body: { student_ids: [studentId], text } })
      }}
      actions={
        <>
          <div className={sendStyles.notes}>
            <ErrorNotice>{failed}</ErrorNotice>
            <LimitNotice />
          </div>
          <CancelButton />
          <SendButton type="submit" busy={send.isPending} disabled={text.trim() === '' || reached?.length === 0}>
            Send
          </SendButton>
        </>
      }
    >
      <Stack gap="md">
        <SimulatorBanner isInDialog />
        <NightNotice />
        {!phones.data && !phones.isError && <SkeletonBlock height="1.5rem" />}
        {phones.isError && (
          <ErrorNotice onRetry={() => void phones.refetch()}>The phones could not be loaded. You can still send.</ErrorNotice>
        )}
        {phones.data && <Reached phones={phones.data} name={name} />}
        <Textarea
          label="Message"
          description="{name} becomes the student's first name."
          autosize
          minRows={3}
          maxLength={TEXT_MAX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TemplateSelect onPick={(template) => setText(withTemplate(text, template))} />
      </Stack>
    </Sheet>
  )
}

const OPTED_OUT = new Map<StudentPhone['obstacle'], string>([
  ['replied_stop', 'has replied STOP'],
  ['withdrawn', 'no longer agrees to texts'],
])
const isTexted = ({ obstacle }: StudentPhone) => !OPTED_OUT.has(obstacle)

function Reached({ phones, name }: { phones: StudentPhone[]; name: string }) {
  if (phones.length === 0) return <p className={sendStyles.stopped}>{name} has no valid phone number.</p>
  const open = phones.filter(isTexted).length
  return (
    <div>
      <p className={styles.reached}>{open === 0 ? 'No phone gets texts' : `Goes out as ${pluralize(open, 'text')}`}</p>
      <ul className={styles.phones}>
        {phones.map(({ phone_number, holder_name, obstacle }) => (
          <li key={phone_number}>
            {holder_name ?? name}, {formatPhone(phone_number)}
            {OPTED_OUT.has(obstacle) && <strong> {OPTED_OUT.get(obstacle)}</strong>}
          </li>
        ))}
      </ul>
    </div>
  )
}
