import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  notificationsApi,
  type NotificationSettings,
} from '@tatami/contract/notifications/notifications'
import { ApiError } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './notification-settings.module.css'
import { BrowserPushSetting } from './browser-push-setting.tsx'
import { settingsQuery } from './use-notifications.ts'

const SWITCHES = [
  {
    setting: 'sound_enabled',
    label: 'Sound',
    description: 'A short tone when something new arrives while Tatami is open.',
  },
  {
    setting: 'vibration_enabled',
    label: 'Vibration',
    description: 'A short vibration, if your phone supports it.',
  },
  {
    setting: 'push_enabled',
    label: 'Push notifications',
    description: 'Get notified even when Tatami is closed. Turn this on in each browser you use.',
  },
] as const

export function NotificationSettings({ accountId }: { accountId: string }) {
  const { data: settings, isError, refetch } = useQuery(settingsQuery)
  return (
    <Panel title="Notifications">
      {!settings && !isError && (
        <div role="status" className={styles.loading}>
          <SkeletonBlock height="var(--height)">Loading settings...</SkeletonBlock>
        </div>
      )}
      {isError && !settings && (
        <ErrorNotice onRetry={() => void refetch()}>Your settings could not be loaded.</ErrorNotice>
      )}
      {settings && (
        <div>
          {SWITCHES.map((switchProps) => (
            <SettingSwitch key={switchProps.setting} {...switchProps} settings={settings} />
          ))}
          {settings.push_enabled && <BrowserPushSetting accountId={accountId} />}
        </div>
      )}
    </Panel>
  )
}

const describeFailure = (error: unknown) =>
  error instanceof ApiError && error.detail
    ? `Failed to save settings: ${error.detail}`
    : 'Failed to update settings'

type Props = {
  setting: keyof NotificationSettings
  label: string
  description: string
  settings: NotificationSettings
}

function SettingSwitch({ setting, label, description, settings }: Props) {
  const cache = useQueryClient()
  const save = useEndpointMutation(notificationsApi.updateSettings, {
    // Requests run one after another, so that the last response has the latest settings.
    scope: { id: 'notification-settings' },
    onSuccess: (savedSettings) => cache.setQueryData(settingsQuery.queryKey, savedSettings),
  })
  const pendingValue = save.isPending ? save.variables?.body?.[setting] : undefined
  return (
    <SwitchRow
      label={label}
      description={description}
      checked={pendingValue ?? settings[setting]}
      error={save.isError && describeFailure(save.error)}
      onChange={(isOn) => save.mutate({ body: { [setting]: isOn } })}
    />
  )
}
