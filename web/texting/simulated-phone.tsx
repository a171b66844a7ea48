import { Button, Title } from '@mantine/core'
import { useState } from 'react'
import { showMoment } from '../lib/dates.ts'
import type { Bubble, Conversation, Told } from './conversations.ts'
import { FateIcon } from './fate-icon.tsx'
import { FATE_WORDS, fateOf } from './fates.ts'
import { showPhone } from '../lib/show-phone.ts'
import { SimulatedAnswer } from './simulated-answer.tsx'
import classes from './simulated-phone.module.css'

const NEWEST = 3

/** One phone with its newest texts. */
export function SimulatedPhone({
  conversation: { phone, names, latest, bubbles },
  onTold,
}: {
  conversation: Conversation
  onTold: (told: Told) => void
}) {
  const [isWhole, setWhole] = useState(false)
  const [answers, setAnswers] = useState(false)
  const owner = names.join(', ')
  return (
    <article className={classes.phone}>
      <div className={classes.head}>
        <Title order={2} size="h3">
          {owner}
        </Title>
        <span className={classes.number}>{showPhone(phone)}</span>
      </div>
      {!isWhole && bubbles.length > NEWEST && (
        <Button
          variant="subtle"
          size="sm"
          className={classes.all}
          onClick={() => setWhole(true)}
        >{`Show all ${bubbles.length} texts`}</Button>
      )}
      <ol className={classes.bubbles}>
        {(isWhole ? bubbles : bubbles.slice(-NEWEST)).map((bubble) => (
          <li key={bubble.id} data-from={bubble.from}>
            <Words bubble={bubble} />
          </li>
        ))}
      </ol>
      {answers ? (
        <SimulatedAnswer messageId={latest} owner={owner} onTold={(id, text, at) => onTold({ id, phone, text, at })} />
      ) : (
        <Button variant="default" aria-label={`Reply from the phone of ${owner}`} onClick={() => setAnswers(true)}>
          Reply
        </Button>
      )}
    </article>
  )
}

const Words = ({ bubble }: { bubble: Bubble }) => (
  <>
    <p className={classes.bubble}>{bubble.text}</p>
    <span className={classes.about}>
      <time dateTime={bubble.at}>{showMoment(bubble.at)}</time>
      {bubble.from === 'dojo' && (
        <span className={classes.fate}>
          <FateIcon fate={fateOf(bubble.state)} />
          {FATE_WORDS[fateOf(bubble.state)]}
        </span>
      )}
    </span>
  </>
)
