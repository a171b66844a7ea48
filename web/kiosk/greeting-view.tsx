import { Button } from '@mantine/core'
import { IconConfetti } from '@tabler/icons-react'
import { GREETING_SECONDS, type Greeting } from '@tatami/contract/kiosk/kiosk'
import { useTimeout, useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { RankBelt } from '../ui/rank-belt.tsx'
import styles from './greeting-view.module.css'
import { missingForNext, progressWords, welcomeWords } from './words.ts'
import kit from '../ui/kit.module.css'

const DOUBLE_TAP_MS = 500

type Props = {
  greetings: readonly Greeting[]
  /** Saved on the tablet and sent once the network is back */
  isWaiting: boolean
  onLeave: () => void
  onUndo: () => void
}

export function GreetingView({ greetings, isWaiting, onLeave, onUndo }: Props) {
  const doneButton = useRef<HTMLButtonElement>(null)
  const isFamily = greetings.length > 1
  const [shownAt] = useState(() => performance.now())
  // The second tap of a double tap must not close the greeting.
  useWindowEvent('click', () => performance.now() - shownAt > DOUBLE_TAP_MS && onLeave())
  useTimeout(onLeave, GREETING_SECONDS * 1000, { autoInvoke: true })
  useEffect(() => doneButton.current?.focus(), [])
  return (
    <div className={styles.greeting}>
      <div
        className={styles.bar}
        style={{ animationDuration: `${GREETING_SECONDS}s` }}
        aria-hidden
      />
      <div className={styles.words} role="status">
        <h1 className={styles.welcome} data-many={isFamily}>
          {welcomeWords(greetings.map(({ first_name }) => first_name))}
        </h1>
        <div className={styles.people}>
          {greetings.map((greeting) => (
            <OneGreeting
              key={`${greeting.first_name} ${greeting.class_time}`}
              greeting={greeting}
              isNamed={isFamily}
            />
          ))}
        </div>
        {isWaiting && (
          <p className={styles.line}>Saved here. We’ll send it when the network is back.</p>
        )}
      </div>
      <div className={styles.acts}>
        <Button size="lg" variant="default" onClick={onUndo}>
          {isFamily ? 'Not us' : 'Not me'}
        </Button>
        <Button size="lg" ref={doneButton}>
          Done
        </Button>
      </div>
    </div>
  )
}

function OneGreeting({ greeting, isNamed }: { greeting: Greeting; isNamed: boolean }) {
  const { first_name, class_name, class_time, is_birthday, was_here, progress } = greeting
  const lines = [progressWords(greeting), missingForNext(greeting)].filter((line) => line !== null)
  return (
    <section className={styles.one}>
      {isNamed && <h2 className={styles.name}>{first_name}</h2>}
      {is_birthday && (
        <p className={`${kit.line} ${styles.birthday}`}>
          <IconConfetti size={32} aria-hidden /> Happy birthday!
        </p>
      )}
      <p className={styles.class}>
        {was_here ? 'Already checked in for ' : 'Checked in for '}
        <b>{class_name}</b>, <span className={styles.time}>{class_time}</span>
      </p>
      {lines.length > 0 && (
        <div className={`${kit.row} ${styles.progress}`}>
          {progress && (
            <RankBelt
              rank={progress.rank}
              level={progress.belt_level}
              size={isNamed ? 48 : 88}
              decorative
            />
          )}
          <div>
            {lines.map((line) => (
              <p key={line} className={styles.line}>
                {line}
              </p>
            ))}
          </div>
        </div>
      )}
    </section>
  )
}
