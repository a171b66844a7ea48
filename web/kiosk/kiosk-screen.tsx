import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconQrcode } from '@tabler/icons-react'
import type { KioskClass, KioskState } from '@tatami/contract/kiosk/kiosk'
import { PageLoading } from '../ui/brand.tsx'
import kit from '../ui/kit.module.css'
import { RetryNotice } from '../ui/notices.tsx'
import { useTitle } from '../ui/page-frame.tsx'
import { SchoolMark } from '../ui/school-mark.tsx'
import { useWaitingCount } from './check-ins.ts'
import { GreetingView } from './greeting-view.tsx'
import styles from './kiosk.module.css'
import { canScan } from './scan-view.tsx'
import {
  listRemainingClasses,
  listUpcomingCancellations,
  useKeepScreenOn,
  useKiosk,
} from './use-kiosk.ts'
import { useVisit, type View } from './use-visit.ts'
import { VisitStep } from './visit-step.tsx'

export function KioskScreen() {
  useTitle('Kiosk')
  useKeepScreenOn()
  const { state, currentClass, isOffline, isUnavailable, retry } = useKiosk()
  if (state) return <Kiosk state={state} currentClass={currentClass} isOffline={isOffline} />
  if (isUnavailable)
    return (
      <main className={styles.message}>
        <RetryNotice onRetry={retry}>Today’s classes could not be loaded.</RetryNotice>
      </main>
    )
  return <PageLoading />
}

type Props = { state: KioskState; currentClass: KioskClass | undefined; isOffline: boolean }

function Kiosk({ state, currentClass, isOffline }: Props) {
  const visit = useVisit(state, currentClass)
  const remainingClasses = listRemainingClasses(state)
  const waitingCount = useWaitingCount()
  const { view } = visit
  if (view.step === 'greeting') {
    const undo = () => {
      visit.reset()
      void visit.undo(view)
    }
    return (
      <main>
        <GreetingView
          key={view.id}
          greetings={view.greetings}
          isStoredOnly={view.isStoredOnly}
          onLeave={visit.reset}
          onUndo={view.id === null ? null : undo}
        />
      </main>
    )
  }
  return (
    <div className={styles.kiosk}>
      <KioskHeader state={state} visit={visit} hasOtherClasses={remainingClasses.length > 1} />
      <main className={styles.main}>
        <VisitStep visit={visit} remainingClasses={remainingClasses} isOffline={isOffline} />
      </main>
      <KioskFooter
        name={state.kiosk_name}
        isOffline={isOffline || waitingCount > 0}
        waitingCount={waitingCount}
        onStaffClick={() => visit.setView({ step: 'work' })}
      />
    </div>
  )
}

type HeaderProps = {
  state: KioskState
  visit: ReturnType<typeof useVisit>
  hasOtherClasses: boolean
}

function KioskHeader({
  state,
  visit: { view, setView, selectedClass },
  hasOtherClasses,
}: HeaderProps) {
  return (
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
          maySwitchClass={hasOtherClasses}
          mayScan={selectedClass !== undefined && canScan()}
          onStep={setView}
        />
      )}
      {listUpcomingCancellations(state).map(({ name, time }) => (
        <p
          key={`${name} ${time}`}
          className={`${kit.line} ${kit.title} ${kit.strong} ${kit.orange} ${styles.canceled}`}
        >
          <IconAlertTriangle size={24} aria-hidden />
          {name}, {time}, is canceled today.
        </p>
      ))}
    </header>
  )
}

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
    <Button variant="default" size="lg" onClick={() => onStep({ step: 'first visit' })}>
      First time here?
    </Button>
  </div>
)

type FooterProps = {
  name: string
  isOffline: boolean
  waitingCount: number
  onStaffClick: () => void
}

/** The login link does not end the kiosk. An instructor ends it in the settings. */
const KioskFooter = ({ name, isOffline, waitingCount, onStaffClick }: FooterProps) => (
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
    <div className={kit.wrap}>
      <Button variant="subtle" className={styles.staff} onClick={onStaffClick}>
        Staff
      </Button>
      <a className={`${kit.inline} ${kit.muted} ${styles.logIn}`} href="/login">
        Log in as instructor
      </a>
    </div>
  </footer>
)
