import { Button, Title, TextInput } from '@mantine/core'
import { useState, type SubmitEventHandler } from 'react'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { textingApi } from '@tatami/contract/texting/texting'
import { errorMessage } from '../lib/api.ts'
import { focusOnMount } from '../lib/modal.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { formatPhone } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { StudentLinks } from '../ui/student-link.tsx'
import { Bubble, Bubbles } from './bubble.tsx'
import { type AutoReply, createAutoReply, type SimulatedPhoneTexts } from './simulated-phones.ts'
import styles from './simulator.module.css'
import kit from '../ui/kit.module.css'

const COLLAPSED_BUBBLES = 3

type PhoneProps = { conversation: SimulatedPhoneTexts; onAutoReply: (reply: AutoReply) => void }

export function SimulatedPhone({
  conversation: { phone, students, latestId, bubbles },
  onAutoReply,
}: PhoneProps) {
  const [isExpanded, setExpanded] = useState(false)
  const [isReplying, setReplying] = useState(false)
  const owner = students.map(({ name }) => name).join(', ') || formatPhone(phone)
  return (
    <article className={`${kit.stackSmall} ${styles.phone}`}>
      <div className={`${kit.wrap} ${styles.head}`}>
        <Title order={2} size="h3">
          {students.length > 0 ? <StudentLinks students={students} as="label" /> : owner}
        </Title>
        <span className={kit.note}>{formatPhone(phone)}</span>
      </div>
      {!isExpanded && bubbles.length > COLLAPSED_BUBBLES && (
        <Button
          variant="subtle"
          size="sm"
          className={styles.showAll}
          onClick={() => setExpanded(true)}
        >{`Show all ${bubbles.length} texts`}</Button>
      )}
      <Bubbles>
        {(isExpanded ? bubbles : bubbles.slice(-COLLAPSED_BUBBLES)).map((bubble) => (
          <Bubble key={bubble.id} {...bubble} />
        ))}
      </Bubbles>
      {isReplying ? (
        <SimulatedReply
          messageId={latestId}
          owner={owner}
          onAutoReply={(answer) => onAutoReply(createAutoReply(phone, answer))}
        />
      ) : (
        <Button
          variant="default"
          aria-label={`Reply from the phone of ${owner}`}
          onClick={() => setReplying(true)}
        >
          Reply
        </Button>
      )}
    </article>
  )
}

type ReplyProps = { messageId: string; owner: string; onAutoReply: (answer: string) => void }

function SimulatedReply({ messageId, owner, onAutoReply }: ReplyProps) {
  const { inbox, inboxUnread, simulated } = textingApi
  const [text, setText] = useState('')
  const { mutate, isPending, error } = useEndpointMutation(conversationsApi.answerSimulated, {
    refreshes: [inbox, inboxUnread, simulated, conversationsApi.conversations],
    onSuccess: ({ answer }) => {
      setText('')
      if (answer) onAutoReply(answer)
    },
  })
  const send: SubmitEventHandler = (event) => {
    event.preventDefault()
    if (text.trim() !== '' && !isPending) mutate({ params: { id: messageId }, body: { text } })
  }
  return (
    <form className={`${kit.wrap} ${styles.replyForm}`} onSubmit={send} noValidate>
      <TextInput
        label={`Reply from the phone of ${owner}`}
        value={text}
        maxLength={TEXT_MAX}
        autoComplete="off"
        ref={focusOnMount}
        onChange={(event) => setText(event.currentTarget.value)}
        flex="1 1 10rem"
      />
      <BusyButton
        type="submit"
        busy={isPending}
        busyLabel="Replying..."
        disabled={text.trim() === ''}
      >
        Reply
      </BusyButton>
      <div className={styles.error}>
        <ErrorNotice>
          {error && errorMessage(error, 'The reply could not be sent. Please try again.')}
        </ErrorNotice>
      </div>
    </form>
  )
}
