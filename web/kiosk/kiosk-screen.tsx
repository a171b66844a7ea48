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
import { NumberPad } from './number-pad.tsx'
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
  const visit = useVisit(state, current)
  const waiting = useWaiting()
  const { view, shownClass } = visit
  if (view.at === 'greeting')
    return (
      <main>
        <GreetingView
          key={view.id}
          greetings={view.greetings}
          isWaiting={view.isWaiting}
          onLeave={visit.leave}
          onUndo={() => {
            visit.leave()
            void visit.undo(view)
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
          <HomeButtons
            maySwitchClass={state.classes.length > 1}
            mayScan={shownClass !== undefined && canScan()}
            onView={visit.setView}
          />
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
        <VisitStep visit={visit} classes={state.classes} isOffline={isOffline} />
      </main>
      <Foot name={state.kiosk_name} isOffline={isOffline || waiting > 0} waiting={waiting} />
    </div>
  )
}

/** What one visitor has typed and chosen. `leave` clears it for the next one. */
function useVisit(state: KioskState, current: KioskClass | undefined) {
  const [view, setView] = useState<View>(HOME)
  const [searchText, setSearchText] = useState('')
  const [pin, setPin] = useState('')
  const [classId, setClassId] = useState<string | null>(null)
  const { checkIn, lookUp, undo, problem, clearProblem, busy } = useCheckIn()
  const shownClass = state.classes.find(({ id }) => id === classId) ?? current
  const leave = useCallback(() => {
    setView(HOME)
    setSearchText('')
    setPin('')
    setClassId(null)
    clearProblem()
  }, [clearProblem])
  useIdle(Math.max(IDLE_SECONDS, GREETING_SECONDS), leave)

  const greet = async (identification: Identification, candidates?: readonly KnownPerson[]) => {
    const checkedIn = shownClass && (await checkIn(shownClass.id, identification, candidates))
    setPin('')
    if (checkedIn) setView({ at: 'greeting', ...checkedIn })
  }
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
  return {
    view,
    setView,
    shownClass,
    leave,
    searchText,
    search: (text: string) => {
      clearProblem()
      setSearchText(text)
    },
    pinInput: { pin, onChange: setPin, busy, problem },
    chooseClass: (id: string) => {
      setClassId(id)
      setView(HOME)
    },
    choose: (hit: KioskHit) =>
      state.asks_pin ? setView({ at: 'pin', hit }) : void checkInByName(hit),
    checkInByPin: (enteredPin: string) => void greet({ pin: enteredPin }),
    checkInByName: (hit: KioskHit, enteredPin: string) => void checkInByName(hit, enteredPin),
    checkInByCode: (people: readonly CodePerson[]) => void checkInByCode(people),
    takeCode: (code: string) => void takeCode(code),
    undo,
  }
}

type StepProps = {
  visit: ReturnType<typeof useVisit>
  classes: readonly KioskClass[]
  isOffline: boolean
}

function VisitStep({ visit, classes, isOffline }: StepProps) {
  const { view, shownClass, leave, pinInput } = visit
  const { busy, problem } = pinInput
  if (view.at === 'classes')
    return <ClassesView classes={classes} shown={shownClass} onChoose={visit.chooseClass} />
  if (view.at === 'scan') return <ScanView onCode={visit.takeCode} onBack={leave} />
  if (view.at === 'code')
    return (
      <CodeView
        people={view.people}
        onCheckIn={visit.checkInByCode}
        onBack={leave}
        busy={busy}
        problem={problem}
      />
    )
  if (view.at === 'pin')
    return (
      <div className={`${styles.step} ${styles.pin}`}>
        <h2 className={styles.title}>{view.hit.name}, please enter your PIN</h2>
        <NumberPad
          {...pinInput}
          onEnter={(enteredPin) => visit.checkInByName(view.hit, enteredPin)}
        />
        <div className={styles.acts}>
          <Button variant="default" onClick={leave}>
            Back
          </Button>
        </div>
      </div>
    )
  if (!shownClass)
    return (
      <p className={kit.titleLarge}>
        There’s no class to check in for. Classes show here on their day.
      </p>
    )
  return (
    <HomeView
      pinInput={pinInput}
      typed={visit.searchText}
      onType={visit.search}
      onChoose={visit.choose}
      onEnter={visit.checkInByPin}
      isOffline={isOffline}
    />
  )
}

type ButtonsProps = { maySwitchClass: boolean; mayScan: boolean; onView: (view: View) => void }

const HomeButtons = ({ maySwitchClass, mayScan, onView }: ButtonsProps) => (
  <div className={styles.choices}>
    {mayScan && (
      <Button
        size="lg"
        leftSection={<IconQrcode size={28} aria-hidden />}
        onClick={() => onView({ at: 'scan' })}
      >
        Scan a code
      </Button>
    )}
    {maySwitchClass && (
      <Button variant="default" size="lg" onClick={() => onView({ at: 'classes' })}>
        Other class
      </Button>
    )}
  </div>
)

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
