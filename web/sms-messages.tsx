import { Stack } from '@mantine/core'
import { CustomAnnouncements } from './announcements/custom-announcements.tsx'
import { useShell } from './kernel/shell.tsx'
import { Inbox } from './messages/inbox.tsx'
import { SentMessages } from './messages/sent-messages.tsx'
import { SimulatorBanner } from './messages/simulator-banner.tsx'
import classes from './sms-messages.module.css'

/** The first tab of the Message Center: what may still go out at the left, what went and came at the right. */
export const SmsMessages = () => (
  <Stack gap="lg">
    <SimulatorBanner />
    <div className={classes.columns} data-shell={useShell()}>
      <Stack gap="lg">
        <CustomAnnouncements />
      </Stack>
      <Stack gap="lg">
        <SentMessages />
        <Inbox />
      </Stack>
    </div>
  </Stack>
)
