import { Button, UnstyledButton } from '@mantine/core'
import type { KioskClass } from '@tatami/contract/kiosk/kiosk'
import { BusyButton } from '../ui/busy-button.tsx'
import kit from '../ui/kit.module.css'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CodeView } from './code-view.tsx'
import { HomeView } from './home-view.tsx'
import styles from './kiosk.module.css'
import { NumberPad, type PinInput } from './number-pad.tsx'
import { canScan, ScanView } from './scan-view.tsx'
import type { useVisit } from './use-visit.ts'

const WorkStep = lazyComponent(() => import('./work-step.tsx'), 'WorkStep')

type StepProps = {
  visit: ReturnType<typeof useVisit>
  remainingClasses: readonly KioskClass[]
  isOffline: boolean
}

/** The part of the screen below the name of the class. */
export function VisitStep({ visit, remainingClasses, isOffline }: StepProps) {
  const { view, selectedClass, reset, pinInput } = visit
  const { busy, problem } = pinInput
  if (view.step === 'classes')
    return (
      <ClassesView
        classes={remainingClasses}
        selectedClass={selectedClass}
        onChoose={visit.chooseClass}
      />
    )
  if (view.step === 'work') return <WorkStep onLeave={reset} />
  if (view.step === 'first visit')
    return (
      <FirstVisit
        classTitle={selectedClass?.name ?? null}
        onScan={canScan() && selectedClass ? () => visit.setView({ step: 'scan' }) : null}
        onBack={reset}
      />
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
        classTitle={selectedClass.name}
        onCheckIn={() => visit.checkInAsGuest(view)}
        onBack={reset}
        busy={busy}
        problem={problem}
      />
    )
  if (view.step === 'pin')
    return (
      <PinStep
        name={view.hit.name}
        pinInput={pinInput}
        onEnter={(enteredPin) => visit.checkInByName(view.hit, enteredPin)}
        onBack={reset}
      />
    )
  if (!selectedClass)
    return (
      <p className={kit.titleLarge}>
        There’s no class to check in for. Today’s classes appear here.
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

type FirstVisitProps = {
  classTitle: string | null
  /** Null if there is no camera or no class. */
  onScan: (() => void) | null
  onBack: () => void
}

/** Tells new visitors whom to talk to. The kiosk does not ask for their data. */
const FirstVisit = ({ classTitle, onScan, onBack }: FirstVisitProps) => (
  <div className={styles.step}>
    <h2 className={styles.title}>Welcome! We’re glad you’re here.</h2>
    <p className={kit.titleLarge}>
      Please say hello to the instructor{classTitle !== null && ` of ${classTitle}`}, on the mat or
      at the desk. You don’t have to type anything here.
    </p>
    {onScan && (
      <p className={kit.title}>
        Did you book a trial? The link in your email has a code for this tablet.
      </p>
    )}
    <div className={styles.actions}>
      <Button variant="default" onClick={onBack}>
        Back
      </Button>
      {onScan && <Button onClick={onScan}>Scan my code</Button>}
    </div>
  </div>
)

type PinProps = {
  name: string
  pinInput: PinInput
  onEnter: (pin: string) => void
  onBack: () => void
}

const PinStep = ({ name, pinInput, onEnter, onBack }: PinProps) => (
  <div className={`${styles.step} ${styles.pin}`}>
    <h2 className={styles.title}>{name}, please enter your PIN</h2>
    <NumberPad {...pinInput} onEnter={onEnter} />
    <div className={styles.actions}>
      <Button variant="default" onClick={onBack}>
        Back
      </Button>
    </div>
  </div>
)

type GuestProps = {
  classTitle: string
  onCheckIn: () => void
  onBack: () => void
  busy: boolean
  problem: string | null
}

const GuestQuestion = ({ classTitle, onCheckIn, onBack, busy, problem }: GuestProps) => (
  <div className={styles.step}>
    <h2 className={styles.title}>You’re not in {classTitle}. Are you here as a guest?</h2>
    <ErrorNotice>{problem}</ErrorNotice>
    <div className={styles.actions}>
      <Button variant="default" onClick={onBack}>
        Back
      </Button>
      <BusyButton busy={busy} busyLabel="Checking in..." onClick={onCheckIn}>
        Check in as a guest
      </BusyButton>
    </div>
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
