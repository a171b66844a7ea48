import { Button, Stack, Title } from '@mantine/core'
import type { SchoolMessage } from '@tatami/contract/messages/school-messages'
import { schoolMessagesApi } from '@tatami/contract/messages/school-messages'
import { useId, useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import kit from '../ui/kit.module.css'
import { Bubble, Bubbles } from './bubble.tsx'

export const ownSchoolMessagesQuery = endpointQuery(schoolMessagesApi.list)

const INITIAL_COUNT = 4

type Props = { messages: readonly SchoolMessage[]; showsAnswers: boolean }

/** The guardian's messages to the school and the answers, newest first */
export function OwnSchoolMessages({ messages, showsAnswers }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const titleId = useId()
  if (messages.length === 0) return null
  const visibleMessages = showsAll ? messages : messages.slice(0, INITIAL_COUNT)
  return (
    <Stack component="section" gap="md" maw="48rem" aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        Your messages
      </Title>
      {!showsAnswers && (
        <p className={kit.muted}>
          Somebody else at the school uses your number, too, so answers come only by text.
        </p>
      )}
      <Bubbles>
        {visibleMessages.map(({ id, is_answer, text, sent_at }) => (
          <Bubble
            key={id}
            text={text}
            at={sent_at}
            isOwn={!is_answer}
            startOfLine={is_answer ? 'Your school' : 'You'}
          />
        ))}
      </Bubbles>
      {visibleMessages.length < messages.length && (
        <Button variant="subtle" onClick={() => setShowsAll(true)}>
          Show earlier messages
        </Button>
      )}
    </Stack>
  )
}
