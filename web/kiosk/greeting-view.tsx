import { Button } from '@mantine/core'
import { IconConfetti } from '@tabler/icons-react'
import { GREETING_SECONDS, type Greeting } from '@tatami/contract/kiosk/kiosk'
import { useTimeout, useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { ProgressRing } from '../belts/progress-ring.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import styles from './greeting-view.module.css'
import { PapersView } from './papers-view.tsx'
import { describeNextRank, describeProgress, formatWelcome } from './greeting-text.ts'
import kit from '../ui/kit.module.css'

const MS_PER_SECOND = 1000
const DOUBLE_TAP_MS = 500

type Props = {
  greetings: readonly Greeting[]
  isStoredOnly: boolean
  onLeave: () => void
  /** Null if the check-in cannot be undone here. */
  onUndo: (() => void) | null
}

export function GreetingView({ greetings, isStoredOnly, onLeave, onUndo }: Props) {
  const doneButton = useRef<HTMLButtonElement>(null)
  const isFamily = greetings.length > 1
  const isAnyoneCheckedIn = greetings.some(({ sees_instructor }) => !sees_instructor)
  const [shownAt] = useState(() => performance.now())
  const [isSigning, setSigning] = useState(false)
  const greetingsWithPapers = greetings.filter(({ papers }) => papers !== null)
  const leave = () => (greetingsWithPapers.length > 0 ? setSigning(true) : onLeave())
  // A double tap on the previous screen must not close the greeting.
  useWindowEvent(
    'click',
    () => !isSigning && performance.now() - shownAt > DOUBLE_TAP_MS && leave(),
  )
  useTimeout(leave, GREETING_SECONDS * MS_PER_SECOND, { autoInvoke: true })
  useEffect(() => doneButton.current?.focus(), [])
  if (isSigning) return <PapersView greetings={greetingsWithPapers} onLeave={onLeave} />
  return (
    <div className={styles.greeting}>
      <div
        className={styles.bar}
        style={{ animationDuration: `${GREETING_SECONDS}s` }}
        aria-hidden
      />
      <div className={styles.content} role="status">
        <h1 className={styles.welcome} data-family={isFamily}>
          {formatWelcome(greetings.map(({ first_name }) => first_name))}
        </h1>
        <div className={styles.people}>
          {greetings.map((greeting) => (
            <PersonGreeting
              key={`${greeting.first_name} ${greeting.class_time}`}
              greeting={greeting}
              showsName={isFamily}
            />
          ))}
        </div>
        {isStoredOnly && (
          <p className={styles.line}>Saved here. We’ll send it when the network is back.</p>
        )}
      </div>
      <div className={styles.actions}>
        {isAnyoneCheckedIn && onUndo && (
          <Button size="lg" variant="default" onClick={onUndo}>
            {isFamily ? 'Not us' : 'Not me'}
          </Button>
        )}
        <Button size="lg" ref={doneButton}>
          Done
        </Button>
      </div>
    </div>
  )
}

type BeltProps = { greeting: Greeting; size: number }

/** The student's belt, in a ring that shows the progress toward the next belt. */
function GreetingBelt({ greeting: { progress, completion }, size }: BeltProps) {
  if (!progress) return null
  const belt = <RankBelt rank={progress.rank} level={progress.belt_level} size={size} decorative />
  if (completion === null) return belt
  return (
    <ProgressRing completion={completion} size={size * 1.5}>
      {belt}
    </ProgressRing>
  )
}

function PersonGreeting({ greeting, showsName }: { greeting: Greeting; showsName: boolean }) {
  const { first_name, photo, is_birthday, entry_words } = greeting
  const lines = [describeProgress(greeting), describeNextRank(greeting)].filter(
    (line) => line !== null,
  )
  return (
    <section className={styles.person}>
      {photo && <img src={photo} alt="" className={styles.photo} />}
      {showsName && <h2 className={styles.name}>{first_name}</h2>}
      {is_birthday && (
        <p className={`${kit.line} ${styles.birthday}`}>
          <IconConfetti size={32} aria-hidden /> Happy birthday!
        </p>
      )}
      <CheckedInClass greeting={greeting} />
      {entry_words && <p className={styles.line}>{entry_words}</p>}
      {lines.length > 0 && (
        <div className={`${kit.row} ${styles.progress}`}>
          <GreetingBelt greeting={greeting} size={showsName ? 48 : 88} />
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

function CheckedInClass({ greeting }: { greeting: Greeting }) {
  const { class_name, class_time, was_here, sees_instructor } = greeting
  if (sees_instructor) return <p className={styles.class}>Please see your instructor.</p>
  return (
    <p className={styles.class}>
      {was_here ? 'Already checked in for ' : 'Checked in for '}
      <b>{class_name}</b>, <span className={styles.time}>{class_time}</span>
    </p>
  )
}
