import { Textarea } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/bulk-message'
import { conversationsApi } from '@tatami/contract/conversations'
import { LIMIT_REACHED } from '@tatami/contract/message-types'
import { textingApi } from '@tatami/contract/texting'
import type { SubmitEventHandler } from 'react'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './conversations.module.css'
import { useReplyDraft } from './reply-drafts.ts'
import { NightNotice, SendButton } from './send-dialog.tsx'
import { Templates, withTemplate } from './templates.tsx'
import { useUsage } from './usage.ts'

/** Where one writes to the phone. A try without an answer keeps the words, and trying again sends nothing twice. */
export function ReplyBox({ phone, optedOut }: { phone: string; optedOut: boolean }) {
  const { text, setText, clearSent } = useReplyDraft(phone)
  const { limit_reached } = useUsage()
  const { mutate, isPending, error } = useEndpointMutation(conversationsApi.reply, {
    refreshes: [conversationsApi.thread, conversationsApi.conversations, textingApi.usage, textingApi.inboxUnread],
    onSuccess: (_, { body }) => clearSent(body.text),
  })
  if (optedOut) return <p className={styles.stopped}>This phone has replied STOP, so it gets no texts. You can still call.</p>
  const send: SubmitEventHandler = (event) => {
    event.preventDefault()
    if (text.trim() !== '' && !isPending) mutate({ params: { phone }, body: { text } })
  }
  const failed = error && (isNetworkError(error) ? UNANSWERED : errorMessage(error, 'The message could not be sent. Please try again.'))
  return (
    <div className={styles.box}>
      <NightNotice />
      <ErrorNotice>{failed}</ErrorNotice>
      {limit_reached && <p className={styles.limit}>{LIMIT_REACHED}</p>}
      <Templates onPick={(template) => setText(withTemplate(text, template))} />
      <form className={styles.write} onSubmit={send} noValidate>
        <Textarea
          aria-label="Message"
          placeholder="Write a message"
          autosize
          minRows={1}
          maxRows={6}
          maxLength={TEXT_MAX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          className={styles.field}
        />
        <SendButton type="submit" busy={isPending} disabled={text.trim() === ''}>
          Send
        </SendButton>
      </form>
    </div>
  )
}

const UNANSWERED = 'No answer came in time, so it may or may not have gone out. Press Send again: it does not go out twice.'
