import { Button, Paper, Stack, Title } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconHelpCircle,
  IconLoader2,
  IconTestPipe,
  type Icon,
} from '@tabler/icons-react'
import type { Reply } from '@tatami/contract/lib/endpoint'
import type { textingApi } from '@tatami/contract/texting/texting'
import { LayoutLink } from '../lib/layout-link.tsx'
import { useRetryingQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { ServiceFacts } from './service-facts.tsx'
import { SimulatorBanner } from '../texting/simulator-banner.tsx'
import { infoQuery } from '../texting/text-service.ts'
import styles from './sms-setup.module.css'
import kit from '../ui/kit.module.css'

export const SmsSetupTab = () => (
  <Stack gap="lg">
    <SimulatorBanner />
    <div className={styles.columns}>
      <Paper component="section" aria-labelledby="sms-service" className={kit.stack}>
        <Title order={2} id="sms-service">
          SMS service
        </Title>
        <ServiceState />
        <ServiceFacts />
        <div>
          <Button component={LayoutLink} to="/sms-setup" variant="default">
            Check the service
          </Button>
        </div>
      </Paper>
      <Paper component="section" aria-labelledby="sms-usage" className={kit.stack}>
        <Title order={2} id="sms-usage">
          Who gets what
        </Title>
        <ul className={`${kit.stackTight} ${styles.list}`}>
          <li>Who gets a message depends on who has paid, and on classes.</li>
          <li>Students on trial don’t get payment reminders.</li>
          <li>Custom announcements can go to specific classes.</li>
          <li>
            Students on vacation, without a valid phone number, or who replied STOP don’t get texts.
          </li>
          <li>Before you send, you’ll see who will get it, who won’t, and why.</li>
        </ul>
      </Paper>
      <Paper component="section" aria-labelledby="twilio-account" className={kit.stack}>
        <Title order={2} id="twilio-account">
          Your own Twilio account
        </Title>
        <p>
          Twilio delivers texts to phones. With your own account, texts come from your own number.
          Connecting it takes about 10 minutes. US carriers also require you to register your number
          (A2P), which can take a few weeks.
        </p>
        <div>
          <Button component={LayoutLink} to="/sms-setup">
            Set up texting
          </Button>
        </div>
      </Paper>
    </div>
  </Stack>
)

type State = 'loading' | 'unknown' | 'active' | 'simulated' | 'inactive'

const STATES: Record<State, { icon: Icon; tone: string; label: string }> = {
  loading: { icon: IconLoader2, tone: 'dim', label: 'Checking...' },
  unknown: { icon: IconHelpCircle, tone: 'dim', label: 'Could not be loaded' },
  active: { icon: IconCircleCheck, tone: 'green', label: 'Active' },
  simulated: { icon: IconTestPipe, tone: 'orange', label: 'Active in test mode' },
  inactive: { icon: IconAlertTriangle, tone: 'orange', label: 'Not active' },
}

function ServiceState() {
  const info = useRetryingQuery(infoQuery)
  const { icon: StateIcon, tone, label } = STATES[findState(info.data, info.isUnavailable)]
  return (
    <>
      <p role="status" className={`${kit.line} ${kit.strong} ${styles.state}`} data-tone={tone}>
        <StateIcon size={24} aria-hidden />
        {label}
      </p>
      {info.isUnavailable && (
        <ErrorNotice onRetry={info.retry}>
          We can’t check right now whether texts can be sent.
        </ErrorNotice>
      )}
    </>
  )
}

function findState(info: Reply<typeof textingApi.info> | undefined, isUnavailable: boolean): State {
  if (!info) return isUnavailable ? 'unknown' : 'loading'
  if (info.status !== 'ready') return info.status === 'checking' ? 'loading' : 'inactive'
  return info.service === 'simulator' ? 'simulated' : 'active'
}
