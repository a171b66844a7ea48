import { Paper, Stack } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconInfoCircle,
  IconLoader2,
  IconPlugConnectedX,
  IconTestPipe,
  type Icon,
} from '@tabler/icons-react'
import { SERVICE_ERROR_MESSAGES, TEST_MODE } from '@tatami/contract/texting/message-types'
import { errorMessage } from '../lib/api.ts'
import { useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ServiceFacts } from './service-facts.tsx'
import { TwilioAccount } from './twilio-account.tsx'
import { SimulatorLink } from '../texting/simulator-banner.tsx'
import styles from './sms-setup.module.css'
import {
  findSetupState,
  type SetupState,
  statusQuery,
  useConnect,
  useConnectOnce,
  useTestMode,
} from '../texting/text-service.ts'
import kit from '../ui/kit.module.css'

export function SmsSetup() {
  const { data: service, error, isUnavailable } = useRetryingQuery(statusQuery)
  const isUnknown = error !== null || isUnavailable
  const isTestMode = useTestMode(!service && !isUnknown)
  const { connect, isPending, failure } = useConnect()
  const loadedState = service ? findSetupState(service) : 'checking'
  const state: SetupState = isUnknown ? 'service_error' : loadedState
  const isConnectDue = service !== undefined && (state === 'checking' || state === 'disconnected')
  useConnectOnce(isConnectDue, connect)
  const statusProblem = isUnknown
    ? errorMessage(error, SERVICE_ERROR_MESSAGES.connectivity)
    : state === 'service_error' && service?.error
  const problem = failure ?? statusProblem
  return (
    <Stack gap="lg">
      <PageHeader title="SMS Setup" />
      <div className={styles.columns}>
        <Paper component="section" aria-label="SMS service" className={kit.stack}>
          <SetupStatus state={state} isSimulated={isTestMode} isUnknown={isUnknown} />
          <ErrorNotice>{!isPending && state !== 'ready' && problem}</ErrorNotice>
          <ServiceFacts />
          <div>
            <BusyButton
              variant="default"
              busy={isPending}
              busyLabel="Checking..."
              onClick={() => connect()}
            >
              Check again
            </BusyButton>
          </div>
        </Paper>
        <Paper component="section" aria-labelledby="twilio-account" className={kit.stack}>
          <TwilioAccount />
        </Paper>
      </div>
    </Stack>
  )
}

type StatusProps = { isSimulated: boolean; isUnknown: boolean }
type Appearance = { icon: Icon; tone: string; title: string; description: string }

const APPEARANCES: Record<SetupState & string, Appearance> = {
  checking: {
    icon: IconLoader2,
    tone: 'dim',
    title: 'Checking the SMS service...',
    description: 'Checking whether texts can be sent.',
  },
  ready: {
    icon: IconCircleCheck,
    tone: 'green',
    title: 'SMS service is ready',
    description: 'Texts go out as soon as you send them.',
  },
  disconnected: {
    icon: IconPlugConnectedX,
    tone: 'orange',
    title: 'SMS service is disconnected',
    description: 'Your texts will wait until a service is connected.',
  },
  service_error: {
    icon: IconAlertTriangle,
    tone: 'red',
    title: 'SMS service error',
    description: 'Your texts will wait until the service is back.',
  },
}

const SIMULATED_APPEARANCE: Appearance = {
  icon: IconTestPipe,
  tone: 'orange',
  title: 'SMS service is ready',
  description: `${TEST_MODE}.`,
}

const createUnknownAppearance = (isSimulated: boolean): Appearance => ({
  icon: IconAlertTriangle,
  tone: 'orange',
  title: 'SMS service error',
  description: isSimulated
    ? `The status could not be loaded. ${TEST_MODE}.`
    : 'The status could not be loaded, so we can’t tell whether texts can be sent.',
})

function chooseAppearance(state: SetupState, { isSimulated, isUnknown }: StatusProps): Appearance {
  if (isUnknown) return createUnknownAppearance(isSimulated)
  if (typeof state !== 'string')
    return {
      icon: IconInfoCircle,
      tone: 'dim',
      title: `SMS service status: ${state.unknownStatus}`,
      description: 'Check again to get the latest status.',
    }
  return state === 'ready' && isSimulated ? SIMULATED_APPEARANCE : APPEARANCES[state]
}

function SetupStatus({ state, ...mode }: StatusProps & { state: SetupState }) {
  const { icon: StateIcon, tone, title, description } = chooseAppearance(state, mode)
  return (
    <div role="status">
      <p className={`${kit.line} ${kit.strong} ${styles.state}`} data-tone={tone}>
        <StateIcon size={24} aria-hidden />
        {title}
      </p>
      <p className={`${kit.muted} ${styles.description}`}>
        {description} {mode.isSimulated && <SimulatorLink />}
      </p>
    </div>
  )
}
