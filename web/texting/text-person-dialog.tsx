import { Stack, Textarea } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/bulk-message'
import { conversationsApi, type StudentPhone } from '@tatami/contract/conversations'
import { LIMIT_REACHED } from '@tatami/contract/message-types'
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
import styles from './conversations.module.css'
import { NightNotice, SendButton } from './send-dialog.tsx'
import { SimulatorBanner } from './simulator-banner.tsx'
import { TemplateSelect, withTemplate } from './templates.tsx'
import { useUsage } from './usage.ts'

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
  const { limit_reached } = useUsage()
  const send = useEndpointMutation(conversationsApi.textStudents, {
    refreshes: [conversationsApi.thread, conversationsApi.conversations, textingApi.usage],
    onSuccess: ({ total_texts }) => {
      onSent?.(total_texts)
      onClose()
    },
  })
  const reached = phones.data?.filter(({ opted_out }) => !opted_out)
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
          {(failed || limit_reached) && (
            <div className={styles.notes}>
              <ErrorNotice>{failed}</ErrorNotice>
              {limit_reached && <p className={styles.limit}>{LIMIT_REACHED}</p>}
            </div>
          )}
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

const UNANSWERED = 'No answer came in time, so it may or may not have gone out. Press Send again: it does not go out twice.'

function Reached({ phones, name }: { phones: StudentPhone[]; name: string }) {
  if (phones.length === 0) return <p className={styles.stopped}>{name} has no valid phone number.</p>
  const open = phones.filter(({ opted_out }) => !opted_out).length
  return (
    <div>
      <p className={styles.reached}>{open === 0 ? 'No phone gets texts' : `Goes out as ${pluralize(open, 'text')}`}</p>
      <ul className={styles.phones}>
        {phones.map(({ phone_number, holder_name, opted_out }) => (
          <li key={phone_number}>
            {holder_name ?? name}, {formatPhone(phone_number)}
            {opted_out && <strong> has replied STOP</strong>}
          </li>
        ))}
      </ul>
    </div>
  )
}
