import { Paper, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { WaitingBlock } from '../ui/waiting-block.tsx'
import classes from './notification-settings.module.css'
import { PushHere } from './push-here.tsx'
import { SettingSwitch } from './setting-switch.tsx'
import { settingsQuery } from './use-settings.ts'

const SETTINGS = [
  { setting: 'sound_enabled', label: 'Sound', description: 'A short tone when something new arrives while Tatami is open.' },
  { setting: 'vibration_enabled', label: 'Vibration', description: 'Felt at the same moment, on phones that can vibrate.' },
  {
    setting: 'push_enabled',
    label: 'Push notifications',
    description: 'Shown while Tatami is closed, in browsers where you turn them on.',
  },
] as const

export function NotificationSettings({ accountId }: { accountId: string }) {
  const { data: settings, isError, refetch } = useQuery(settingsQuery)
  return (
    <Paper component="section" aria-labelledby="notification-settings">
      <Title order={2} id="notification-settings">
        Notifications
      </Title>
      {!settings && !isError && (
        <div role="status" className={classes.waiting}>
          <WaitingBlock height="var(--height)">Loading settings...</WaitingBlock>
        </div>
      )}
      {isError && !settings && <ErrorNotice onRetry={() => void refetch()}>Your settings could not be loaded.</ErrorNotice>}
      {settings && SETTINGS.map((one) => <SettingSwitch key={one.setting} {...one} settings={settings} />)}
      {settings?.push_enabled && <PushHere accountId={accountId} />}
    </Paper>
  )
}
