import { Paper, Stack } from '@mantine/core'
import { AppNotifications } from './app-notifications.tsx'
import { AutomatedReminders } from './automated-reminders.tsx'
import { CustomAnnouncements } from './custom-announcements.tsx'
import { useShell } from '../lib/shell.tsx'
import { Inbox } from './inbox.tsx'
import { SentMessages } from './sent-messages.tsx'
import { ServiceStatus } from './service-status.tsx'
import { SimulatorBanner } from './simulator-banner.tsx'
import { UsageMeter } from './usage-meter.tsx'
import { WelcomeToggle } from './welcome-toggle.tsx'
import classes from './sms-messages.module.css'

/** The first tab of the Message Center. On a desktop what may still go out stands at the left, what went and came at the right; on a
 *  phone what is set up once comes last. */
export const SmsMessages = () => (
  <Stack gap="lg">
    <SimulatorBanner />
    {useShell() === 'desktop' ? (
      <div className={classes.columns}>
        <Stack gap="lg">
          <Now />
          <Lasting />
        </Stack>
        <Stack gap="lg">
          <SentMessages />
          <Inbox />
        </Stack>
      </div>
    ) : (
      <>
        <Now />
        <Inbox />
        <SentMessages />
        <Lasting />
      </>
    )}
  </Stack>
)

const Now = () => (
  <>
    <Paper className={classes.today}>
      <ServiceStatus />
      <UsageMeter />
    </Paper>
    <CustomAnnouncements />
  </>
)

const Lasting = () => (
  <>
    <AutomatedReminders />
    <AppNotifications />
    <WelcomeToggle />
  </>
)
