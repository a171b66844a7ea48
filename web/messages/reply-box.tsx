import { Textarea } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { textingApi } from '@tatami/contract/texting/texting'
import type { SubmitEventHandler } from 'react'
import { useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { useReplyDraft } from './reply-drafts.ts'
import { DeliveryNote, LimitNotice, SendButton } from '../texting/send-dialog.tsx'
import { isSendable, TextNotes } from '../texting/text-notes.tsx'
import { Templates, appendTemplate } from '../texting/templates.tsx'
import styles from './thread.module.css'
import { describeSendFailure, VacationQuestion } from '../texting/vacation-question.tsx'
import kit from '../ui/kit.module.css'

type Props = {
  phone: string
  blockedNotice: string | null
  /** The newest text on the screen. The reply marks it and earlier ones as read. */
  newestTextId: string | undefined
}

export function ReplyBox({ phone, blockedNotice, newestTextId }: Props) {
  const { text, setText, clearSent } = useReplyDraft(phone)
  const { mutate, isPending, error, variables, reset } = useEndpointMutation(
    conversationsApi.reply,
    {
      refreshes: [
        conversationsApi.thread,
        conversationsApi.conversations,
        textingApi.usage,
        textingApi.inboxUnread,
      ],
      onSuccess: (_, { body }) => clearSent(body.text),
    },
  )
  if (blockedNotice) return <p className={`${kit.strong} ${kit.orange}`}>{blockedNotice}</p>
  const send: SubmitEventHandler = (event) => {
    event.preventDefault()
    if (!isSendable(text) || isPending) return
    // Retrying an unchanged text repeats the same request, so that it is sent only once.
    const failedBody = error && variables?.params.phone === phone ? variables.body : null
    const isRetry = failedBody?.text === text
    mutate({ params: { phone }, body: isRetry ? failedBody : { text, up_to: newestTextId } })
  }
  const sendAnyway = () =>
    variables && mutate({ params: { phone }, body: { ...variables.body, even_on_vacation: true } })
  return (
    <div className={kit.stackTight}>
      <DeliveryNote />
      <ErrorNotice>{describeSendFailure(error)}</ErrorNotice>
      <VacationQuestion error={error} busy={isPending} onSend={sendAnyway} onClose={reset} />
      <LimitNotice />
      <Templates onPick={(template) => setText(appendTemplate(text, template))} />
      <TextNotes text={text} setText={setText} />
      <form className={styles.replyForm} onSubmit={send} noValidate>
        <Textarea
          aria-label="Message"
          placeholder="Write a message"
          autosize
          minRows={1}
          maxRows={6}
          maxLength={TEXT_MAX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          flex="1 1 auto"
        />
        <SendButton type="submit" busy={isPending} disabled={!isSendable(text)}>
          Send
        </SendButton>
      </form>
    </div>
  )
}
