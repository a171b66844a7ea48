import { Button, Title, TextInput } from '@mantine/core'
import { useState, type SubmitEventHandler } from 'react'
import { TEXT_MAX } from '@tatami/contract/bulk-message'
import { conversationsApi } from '@tatami/contract/conversations'
import { textingApi } from '@tatami/contract/texting'
import { errorMessage } from '../lib/api.ts'
import { formatDateTime } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { serverTime } from '../lib/server-clock.ts'
import { formatPhone } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import type { Bubble, Conversation, AutoReply } from './conversations.ts'
import { StatusIcon } from './delivery-progress.tsx'
import styles from './simulator.module.css'
import { STATUS_LABELS, statusOf } from './text-status.ts'

const COLLAPSED_ROWS = 3

/** One phone with its newest texts. */
export function SimulatedPhone({
  conversation: { phone, names, latest, bubbles },
  onAutoReply,
}: {
  conversation: Conversation
  onAutoReply: (reply: AutoReply) => void
}) {
  const [isExpanded, setExpanded] = useState(false)
  const [isReplying, setReplying] = useState(false)
  const owner = names.join(', ')
  return (
    <article className={styles.phone}>
      <div className={styles.head}>
        <Title order={2} size="h3">
          {owner}
        </Title>
        <span className={styles.number}>{formatPhone(phone)}</span>
      </div>
      {!isExpanded && bubbles.length > COLLAPSED_ROWS && (
        <Button
          variant="subtle"
          size="sm"
          className={styles.all}
          onClick={() => setExpanded(true)}
        >{`Show all ${bubbles.length} texts`}</Button>
      )}
      <ol className={styles.bubbles}>
        {(isExpanded ? bubbles : bubbles.slice(-COLLAPSED_ROWS)).map((bubble) => (
          <li key={bubble.id} data-from={bubble.from}>
            <BubbleText bubble={bubble} />
          </li>
        ))}
      </ol>
      {isReplying ? (
        <SimulatedReply messageId={latest} owner={owner} onAutoReply={(id, text, at) => onAutoReply({ id, phone, text, at })} />
      ) : (
        <Button variant="default" aria-label={`Reply from the phone of ${owner}`} onClick={() => setReplying(true)}>
          Reply
        </Button>
      )}
    </article>
  )
}

const BubbleText = ({ bubble }: { bubble: Bubble }) => (
  <>
    <p className={styles.bubble}>{bubble.text}</p>
    <span className={styles.about}>
      <time dateTime={bubble.at}>{formatDateTime(bubble.at)}</time>
      {bubble.from === 'dojo' && (
        <span className={styles.status}>
          <StatusIcon status={statusOf(bubble.state)} />
          {STATUS_LABELS[statusOf(bubble.state)]}
        </span>
      )}
    </span>
  </>
)

type Props = { messageId: string; owner: string; onAutoReply: (id: string, text: string, at: string) => void }

const focus = (field: HTMLInputElement | null) => field?.focus()

/** Answers a text as the phone's owner would. */
function SimulatedReply({ messageId, owner, onAutoReply }: Props) {
  const { inbox, inboxUnread, simulated } = textingApi
  const [text, setText] = useState('')
  const { mutate, isPending, error } = useEndpointMutation(conversationsApi.answerSimulated, {
    refreshes: [inbox, inboxUnread, simulated, conversationsApi.conversations],
    onSuccess: ({ answer }) => {
      setText('')
      const at = serverTime(Date.now())
      if (answer) onAutoReply(`auto-reply ${at}`, answer, new Date(at).toISOString())
    },
  })
  const send: SubmitEventHandler = (event) => {
    event.preventDefault()
    if (text.trim() !== '' && !isPending) mutate({ params: { id: messageId }, body: { text } })
  }
  return (
    <form className={styles.answer} onSubmit={send} noValidate>
      <TextInput
        label={`Reply from the phone of ${owner}`}
        value={text}
        maxLength={TEXT_MAX}
        autoComplete="off"
        ref={focus}
        onChange={(event) => setText(event.currentTarget.value)}
        className={styles.field}
      />
      <BusyButton type="submit" busy={isPending} busyLabel="Replying..." disabled={text.trim() === ''}>
        Reply
      </BusyButton>
      <div className={styles.error}>
        <ErrorNotice>{error && errorMessage(error, 'The reply could not be sent. Please try again.')}</ErrorNotice>
      </div>
    </form>
  )
}
