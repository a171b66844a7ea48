import { Button, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconQrcode } from '@tabler/icons-react'
import {
  GREETING_SECONDS,
  type KioskClass,
  type KioskHit,
  type KioskState,
} from '@tatami/contract/kiosk/kiosk'
import { useCallback, useState } from 'react'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { PageLoading } from '../ui/brand.tsx'
import { useTitle } from '../ui/page-frame.tsx'
import { SchoolMark } from '../ui/school-mark.tsx'
import { CodeView } from './code-view.tsx'
import { GreetingView } from './greeting-view.tsx'
import { HomeView } from './home-view.tsx'
import styles from './kiosk.module.css'
import { NumberPad } from './number-pad.tsx'
import { canScan, ScanView } from './scan-view.tsx'
import {
  ASKS_FIRST,
  type CheckInResult,
  type CodePerson,
  type KnownPerson,
  useCheckIn,
  type Identification,
} from './use-check-in.ts'
import {
  remainingClasses,
  upcomingCancellations,
  useIdle,
  useKiosk,
  useKeepScreenOn,
  useTypedCode,
} from './use-kiosk.ts'
import { useWaitingCount } from './check-ins.ts'
import kit from '../ui/kit.module.css'

type PossiblePeople = readonly KnownPerson[]
type View =
  | { step: 'home' }
  | { step: 'classes' }
  | { step: 'pin'; hit: KioskHit }
  | { step: 'scan' }
  | { step: 'code'; people: readonly CodePerson[] }
  | { step: 'guest'; identification: Identification; people: PossiblePeople }
  | ({ step: 'greeting' } & CheckInResult)

type GuestView = Extract<View, { step: 'guest' }>

const HOME: View = { step: 'home' }
const IDLE_SECONDS = 30

export function KioskScreen() {
  useTitle('Kiosk')
  useKeepScreenOn()
  const { state, currentClass, isOffline, isUnavailable, retry } = useKiosk()
  if (state) return <Kiosk state={state} currentClass={currentClass} isOffline={isOffline} />
  if (isUnavailable)
    return (
      <main className={styles.message}>
        <RetryNotice onRetry={retry}>The classes of today could not be loaded.</RetryNotice>
      </main>
    )
  return <PageLoading />
}

type Props = { state: KioskState; currentClass: KioskClass | undefined; isOffline: boolean }

function Kiosk({ state, currentClass, isOffline }: Props) {
  const visit = useVisit(state, currentClass)
  const openClasses = remainingClasses(state)
  const waitingCount = useWaitingCount()
  const { view, selectedClass } = visit
  if (view.step === 'greeting')
    return (
      <main>
        <GreetingView
          key={view.id}
          greetings={view.greetings}
          isStoredOnly={view.isStoredOnly}
          onLeave={visit.reset}
          onUndo={() => {
            visit.reset()
            void visit.undo(view)
          }}
        />
      </main>
    )
  return (
    <div className={styles.kiosk}>
      <header className={`${kit.spread} ${styles.header}`}>
        <div>
          <div className={`${kit.muted} ${kit.title} ${styles.school}`}>
            <SchoolMark look={state} name={state.dojo_name} hasBand={state.dojo_color !== null} />
          </div>
          <h1 className={styles.class}>
            {selectedClass?.name ??
              (state.classes.length > 0 ? 'No more classes today' : 'No class today')}
          </h1>
          {selectedClass && <p className={kit.titleLarge}>{selectedClass.time}</p>}
        </div>
        {view.step === 'home' && (
          <HomeButtons
            maySwitchClass={openClasses.length > 1}
            mayScan={selectedClass !== undefined && canScan()}
            onStep={visit.setView}
          />
        )}
        {upcomingCancellations(state).map(({ name, time }) => (
          <p
            key={`${name} ${time}`}
            className={`${kit.line} ${kit.title} ${kit.strong} ${kit.orange} ${styles.canceled}`}
          >
            <IconAlertTriangle size={24} aria-hidden />
            {name}, {time}, is canceled today.
          </p>
        ))}
      </header>
      <main className={styles.main}>
        <VisitStep visit={visit} classes={openClasses} isOffline={isOffline} />
      </main>
      <KioskFooter
        name={state.kiosk_name}
        isOffline={isOffline || waitingCount > 0}
        waitingCount={waitingCount}
      />
    </div>
  )
}

function useVisit(state: KioskState, currentClass: KioskClass | undefined) {
  const [view, setView] = useState<View>(HOME)
  const [searchText, setSearchText] = useState('')
  const [pin, setPin] = useState('')
  const [classId, setClassId] = useState<string | null>(null)
  const { checkIn, lookUpCode, undo, problem, clearProblem, busy } = useCheckIn()
  const selectedClass = state.classes.find(({ id }) => id === classId) ?? currentClass
  const reset = useCallback(() => {
    setView(HOME)
    setSearchText('')
    setPin('')
    setClassId(null)
    clearProblem()
  }, [clearProblem])
  useIdle(Math.max(IDLE_SECONDS, GREETING_SECONDS), reset)
  const checkInAndGreet = async (
    identification: Identification,
    people: PossiblePeople = [],
    // Whoever has chosen a class, or themselves as a guest, has answered the question.
    asks_first = classId === null,
  ) => {
    if (!selectedClass) return
    const options = { asks_first, possiblePeople: people }
    const result = await checkIn(selectedClass.id, identification, options)
    setPin('')
    if (result === ASKS_FIRST) {
      // The class of the question stays on the screen when the next one opens.
      setClassId(selectedClass.id)
      setView({ step: 'guest', identification, people })
    } else if (result) setView({ step: 'greeting', ...result })
  }
  const checkInByName = (hit: KioskHit, enteredPin?: string) =>
    checkInAndGreet(
      { passes: [hit.pass], ...(enteredPin !== undefined && { pin: enteredPin }) },
      selectedClass && [{ ...hit, class_name: selectedClass.name, class_time: selectedClass.time }],
    )
  const checkInByCode = (people: readonly CodePerson[], asks_first?: boolean) =>
    checkInAndGreet({ passes: people.map(({ pass }) => pass) }, people, asks_first)
  const handleCode = async (code: string) => {
    reset()
    const people = selectedClass && (await lookUpCode(selectedClass.id, code))
    if (people?.length === 1) await checkInByCode(people)
    else if (people) setView({ step: 'code', people })
  }
  useTypedCode((code) => void handleCode(code))
  return {
    view,
    setView,
    selectedClass,
    reset,
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
      state.asks_pin ? setView({ step: 'pin', hit }) : void checkInByName(hit),
    checkInByPin: (enteredPin: string) => void checkInAndGreet({ pin: enteredPin }),
    checkInByName: (hit: KioskHit, enteredPin: string) => void checkInByName(hit, enteredPin),
    checkInByCode: (people: readonly CodePerson[]) => void checkInByCode(people, false),
    checkInAsGuest: ({ identification, people }: GuestView) =>
      void checkInAndGreet(identification, people, false),
    handleCode: (code: string) => void handleCode(code),
    undo,
  }
}

type StepProps = {
  visit: ReturnType<typeof useVisit>
  classes: readonly KioskClass[]
  isOffline: boolean
}

function VisitStep({ visit, classes, isOffline }: StepProps) {
  const { view, selectedClass, reset, pinInput } = visit
  const { busy, problem } = pinInput
  if (view.step === 'classes')
    return (
      <ClassesView classes={classes} selectedClass={selectedClass} onChoose={visit.chooseClass} />
    )
  if (view.step === 'scan') return <ScanView onCode={visit.handleCode} onBack={reset} />
  if (view.step === 'code')
    return (
      <CodeView
        people={view.people}
        onCheckIn={visit.checkInByCode}
        onBack={reset}
        busy={busy}
        problem={problem}
      />
    )
  if (view.step === 'guest' && selectedClass)
    return (
      <GuestQuestion
        className={selectedClass.name}
        onCheckIn={() => visit.checkInAsGuest(view)}
        onBack={reset}
        busy={busy}
        problem={problem}
      />
    )
  if (view.step === 'pin')
    return (
      <div className={`${styles.step} ${styles.pin}`}>
        <h2 className={styles.title}>{view.hit.name}, please enter your PIN</h2>
        <NumberPad
          {...pinInput}
          onEnter={(enteredPin) => visit.checkInByName(view.hit, enteredPin)}
        />
        <div className={styles.actions}>
          <Button variant="default" onClick={reset}>
            Back
          </Button>
        </div>
      </div>
    )
  if (!selectedClass)
    return (
      <p className={kit.titleLarge}>
        There’s no class to check in for. Classes show here on their day.
      </p>
    )
  return (
    <HomeView
      pinInput={pinInput}
      searchText={visit.searchText}
      onSearch={visit.search}
      onChoose={visit.choose}
      onEnterPin={visit.checkInByPin}
      isOffline={isOffline}
    />
  )
}

type GuestProps = {
  className: string
  onCheckIn: () => void
  onBack: () => void
  busy: boolean
  problem: string | null
}

const GuestQuestion = ({ className, onCheckIn, onBack, busy, problem }: GuestProps) => (
  <div className={styles.step}>
    <h2 className={styles.title}>You’re not in {className}. Are you here as a guest?</h2>
    <ErrorNotice>{problem}</ErrorNotice>
    <div className={styles.actions}>
      <Button variant="default" onClick={onBack}>
        Back
      </Button>
      <BusyButton busy={busy} busyLabel="Checking in..." onClick={onCheckIn}>
        Check in to {className}
      </BusyButton>
    </div>
  </div>
)

type ButtonsProps = { maySwitchClass: boolean; mayScan: boolean; onStep: (view: View) => void }

const HomeButtons = ({ maySwitchClass, mayScan, onStep }: ButtonsProps) => (
  <div className={styles.choices}>
    {mayScan && (
      <Button
        size="lg"
        leftSection={<IconQrcode size={28} aria-hidden />}
        onClick={() => onStep({ step: 'scan' })}
      >
        Scan a code
      </Button>
    )}
    {maySwitchClass && (
      <Button variant="default" size="lg" onClick={() => onStep({ step: 'classes' })}>
        Other class
      </Button>
    )}
  </div>
)

type ClassesProps = {
  classes: readonly KioskClass[]
  selectedClass: KioskClass | undefined
  onChoose: (id: string) => void
}

const ClassesView = ({ classes, selectedClass, onChoose }: ClassesProps) => (
  <div className={styles.step}>
    <h2 className={styles.title}>Which class are you here for?</h2>
    <div className={styles.results}>
      {classes.map(({ id, name, time }) => (
        <UnstyledButton
          key={id}
          className={`${kit.card} ${kit.line} ${styles.result}`}
          aria-current={id === selectedClass?.id}
          onClick={() => onChoose(id)}
        >
          <span className={kit.fill}>
            {name}
            <span className={`${kit.count} ${kit.title} ${styles.details}`}>{time}</span>
          </span>
        </UnstyledButton>
      ))}
    </div>
  </div>
)

type FooterProps = { name: string; isOffline: boolean; waitingCount: number }

/** The login link does not end the kiosk. Only an instructor can end it, in the settings. */
const KioskFooter = ({ name, isOffline, waitingCount }: FooterProps) => (
  <footer className={`${kit.spread} ${kit.muted} ${styles.footer}`}>
    <p role="status" className={kit.line}>
      {isOffline ? (
        <>
          <IconCloudOff size={20} aria-hidden />
          {waitingCount > 0
            ? `${waitingCount} waiting for network`
            : 'No network: PIN and code still work'}
        </>
      ) : (
        name
      )}
    </p>
    <a className={`${kit.inline} ${kit.muted} ${styles.logIn}`} href="/login">
      Log in as instructor
    </a>
  </footer>
)
