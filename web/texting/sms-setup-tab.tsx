import { Button, Paper, Stack, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { LayoutLink } from '../lib/layout-link.tsx'
import { ConnectTwilio, ServiceFacts } from './service-facts.tsx'
import { SimulatorBanner } from './simulator-banner.tsx'
import { infoQuery } from './text-service.ts'
import styles from './sms-setup.module.css'

/** How texting works in Tatami. Failures are shown on the set-up page. */
export function SmsSetupTab() {
  const { data } = useQuery(infoQuery)
  const isNotReady = data !== undefined && data.status !== 'ready'
  return (
    <Stack gap="lg">
      <SimulatorBanner />
      <div className={styles.columns}>
        <Paper component="section" aria-labelledby="sms-service" className={styles.part}>
          <Title order={2} id="sms-service">
            SMS service
          </Title>
          <p className={styles.state} data-tone={isNotReady ? 'orange' : 'green'}>
            {isNotReady ? (
              <IconAlertTriangle size={24} aria-hidden />
            ) : (
              <IconCircleCheck size={24} aria-hidden />
            )}
            {isNotReady ? 'Not active' : 'Active'}
          </p>
          <ServiceFacts />
          <div>
            <Button component={LayoutLink} to="/sms-setup" variant="default">
              Check the service
            </Button>
          </div>
        </Paper>
        <Paper component="section" aria-labelledby="sms-usage" className={styles.part}>
          <Title order={2} id="sms-usage">
            Who gets what
          </Title>
          <ul className={styles.list}>
            <li>Messages go out by payment status and class enrollment.</li>
            <li>Trial students are excluded from payment reminders.</li>
            <li>Custom announcements can go to specific classes.</li>
            <li>
              Students who are on vacation, have no valid phone number or replied STOP get no texts.
            </li>
            <li>
              Before you send, every dialog shows who gets it and who does not, with the reason.
            </li>
          </ul>
        </Paper>
        <Paper component="section" aria-labelledby="connect-twilio" className={styles.part}>
          <ConnectTwilio />
        </Paper>
      </div>
    </Stack>
  )
}
