import { Button, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconQrcode } from '@tabler/icons-react'
import {
  GREETING_SECONDS,
  type KioskClass,
  type KioskHit,
  type KioskState,
} from '@tatami/contract/kiosk/kiosk'
import { useCallback, useState } from 'react'
import { RetryNotice } from '../ui/notices.tsx'
import { Loading } from '../ui/brand.tsx'
import { useTitle } from '../ui/page-frame.tsx'
import { CodeView } from './code-view.tsx'
import { GreetingView } from './greeting-view.tsx'
import { HomeView } from './home-view.tsx'
import styles from './kiosk.module.css'
import { PinView } from './pin-view.tsx'
import { canScan, ScanView } from './scan-view.tsx'
import {
  type CheckedIn,
  type CodePerson,
  type KnownPerson,
  useCheckIn,
  type Identification,
} from './use-check-in.ts'
import { cancelledAhead, useIdle, useKiosk, useScreenOn, useTypedCode } from './use-kiosk.ts'
import { useWaiting } from './check-ins.ts'
import kit from '../ui/kit.module.css'

type View =
  | { at: 'home' }
  | { at: 'classes' }
  | { at: 'pin'; hit: KioskHit }
  | { at: 'scan' }
  | { at: 'code'; people: readonly CodePerson[] }
  | ({ at: 'greeting' } & CheckedIn)

const HOME: View = { at: 'home' }
/** Clears the screen after somebody walks away. */
const IDLE_SECONDS = 30

export function KioskScreen() {
  useTitle('Kiosk')
  useScreenOn()
  const { state, current, isOffline, isUnavailable, retry } = useKiosk()
  if (state) return <Kiosk state={state} current={current} isOffline={isOffline} />
  if (isUnavailable)
    return (
      <main className={styles.alone}>
        <RetryNotice onRetry={retry}>The classes of today could not be loaded.</RetryNotice>
      </main>
    )
  return <Loading />
}

type Props = { state: KioskState; current: KioskClass | undefined; isOffline: boolean }

function Kiosk({ state, current, isOffline }: Props) {
  const [view, setView] = useState<View>(HOME)
  const [searchText, setSearchText] = useState('')
  const [pin, setPin] = useState('')
  /** For the current visitor only */
  const [chosenId, setChosenId] = useState<string | null>(null)
  const { checkIn, lookUp, undo, problem, clearProblem, busy } = useCheckIn()
  const waiting = useWaiting()
  const shownClass = state.classes.find(({ id }) => id === chosenId) ?? current

  const leave = useCallback(() => {
    setView(HOME)
    setSearchText('')
    setPin('')
    setChosenId(null)
    clearProblem()
  }, [clearProblem])
  useIdle(Math.max(IDLE_SECONDS, GREETING_SECONDS), leave)

  const greet = async (identification: Identification, candidates?: readonly KnownPerson[]) => {
    const checkedIn = shownClass && (await checkIn(shownClass.id, identification, candidates))
    setPin('')
    if (checkedIn) setView({ at: 'greeting', ...checkedIn })
  }
  const choose = (hit: KioskHit) =>
    state.asks_pin ? setView({ at: 'pin', hit }) : void checkInByName(hit)
  const checkInByName = (hit: KioskHit, enteredPin?: string) =>
    greet(
      { passes: [hit.pass], ...(enteredPin !== undefined && { pin: enteredPin }) },
      shownClass && [{ ...hit, class_name: shownClass.name, class_time: shownClass.time }],
    )
  const checkInByCode = (people: readonly CodePerson[]) =>
    greet({ passes: people.map(({ pass }) => pass) }, people)
  const takeCode = async (code: string) => {
    leave()
    const people = shownClass && (await lookUp(shownClass.id, code))
    if (people?.length === 1) await checkInByCode(people)
    else if (people) setView({ at: 'code', people })
  }
  useTypedCode((code) => void takeCode(code))
  const search = (text: string) => {
    clearProblem()
    setSearchText(text)
  }

  if (view.at === 'greeting')
    return (
      <main>
        <GreetingView
          key={view.id}
          greetings={view.greetings}
          isWaiting={view.isWaiting}
          onLeave={leave}
          onUndo={() => {
            leave()
            void undo(view)
          }}
        />
      </main>
    )
  return (
    <div className={styles.kiosk}>
      <header className={`${kit.spread} ${styles.head}`}>
        <div>
          <p className={`${kit.muted} ${kit.title}`}>{state.dojo_name}</p>
          <h1 className={styles.class}>{shownClass ? shownClass.name : 'No class today'}</h1>
          {shownClass && <p className={kit.titleLarge}>{shownClass.time}</p>}
        </div>
        {view.at === 'home' && (
          <div className={styles.choices}>
            {shownClass && canScan() && (
              <Button
                size="lg"
                leftSection={<IconQrcode size={28} aria-hidden />}
                onClick={() => setView({ at: 'scan' })}
              >
                Scan a code
              </Button>
            )}
            {state.classes.length > 1 && (
              <Button variant="default" size="lg" onClick={() => setView({ at: 'classes' })}>
                Other class
              </Button>
            )}
          </div>
        )}
        {cancelledAhead(state).map(({ name, time }) => (
          <p
            key={`${name} ${time}`}
            className={`${kit.line} ${kit.title} ${kit.strong} ${kit.orange} ${styles.cancelled}`}
          >
            <IconAlertTriangle size={24} aria-hidden />
            {name}, {time}, is canceled today.
          </p>
        ))}
      </header>
      <main className={styles.main}>
        {view.at === 'home' &&
          (shownClass ? (
            <HomeView
              typed={searchText}
              onType={search}
              onChoose={choose}
              pin={pin}
              onPin={setPin}
              onEnter={(enteredPin) => void greet({ pin: enteredPin })}
              busy={busy}
              isOffline={isOffline}
              problem={problem}
            />
          ) : (
            <p className={kit.titleLarge}>
              There’s no class to check in for. Classes show here on their day.
            </p>
          ))}
        {view.at === 'classes' && (
          <ClassesView
            classes={state.classes}
            shown={shownClass}
            onChoose={(id) => {
              setChosenId(id)
              setView(HOME)
            }}
          />
        )}
        {view.at === 'scan' && <ScanView onCode={(code) => void takeCode(code)} onBack={leave} />}
        {view.at === 'code' && (
          <CodeView
            people={view.people}
            onCheckIn={(people) => void checkInByCode(people)}
            onBack={leave}
            busy={busy}
            problem={problem}
          />
        )}
        {view.at === 'pin' && (
          <PinView
            name={view.hit.name}
            pin={pin}
            onPin={setPin}
            onEnter={(enteredPin) => void checkInByName(view.hit, enteredPin)}
            onBack={leave}
            busy={busy}
            problem={problem}
          />
        )}
      </main>
      <Foot name={state.kiosk_name} isOffline={isOffline || waiting > 0} waiting={waiting} />
    </div>
  )
}

type ClassesProps = {
  classes: readonly KioskClass[]
  shown: KioskClass | undefined
  onChoose: (id: string) => void
}

const ClassesView = ({ classes, shown, onChoose }: ClassesProps) => (
  <div className={styles.step}>
    <h2 className={styles.title}>Which class are you here for?</h2>
    <div className={styles.hits}>
      {classes.map(({ id, name, time }) => (
        <UnstyledButton
          key={id}
          className={`${kit.card} ${kit.line} ${styles.hit}`}
          aria-current={id === shown?.id}
          onClick={() => onChoose(id)}
        >
          <span className={kit.fill}>
            {name}
            <span className={`${kit.count} ${kit.title} ${styles.when}`}>{time}</span>
          </span>
        </UnstyledButton>
      ))}
    </div>
  </div>
)

type FootProps = { name: string; isOffline: boolean; waiting: number }

/** "Log in" does not end the kiosk: only an instructor can. */
const Foot = ({ name, isOffline, waiting }: FootProps) => (
  <footer className={`${kit.spread} ${kit.muted} ${styles.foot}`}>
    <p role="status" className={kit.line}>
      {isOffline ? (
        <>
          <IconCloudOff size={20} aria-hidden />
          {waiting > 0 ? `${waiting} waiting for network` : 'No network: PIN and code still work'}
        </>
      ) : (
        name
      )}
    </p>
    <a className={`${kit.inline} ${kit.muted} ${styles.leave}`} href="/login">
      Log in as instructor
    </a>
  </footer>
)
