import { useQueryClient } from '@tanstack/react-query'
import { notificationsApi, type NotificationSettings } from '@tatami/contract/notifications'
import { ApiError } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { SwitchRow } from '../ui/switch-row.tsx'
import { settingsQuery } from './use-settings.ts'

/** The server's words when it gave any (product.md, section 9). */
const failure = (error: unknown) =>
  error instanceof ApiError && error.detail ? `Failed to save settings: ${error.detail}` : 'Failed to update settings'

type Props = { setting: keyof NotificationSettings; label: string; description: string; settings: NotificationSettings }

/** One setting, kept as soon as it is switched; switched back when that fails. */
export function SettingSwitch({ setting, label, description, settings }: Props) {
  const cache = useQueryClient()
  const save = useEndpointMutation(notificationsApi.updateSettings, {
    // One after the other, so that no answer overtakes a later one.
    scope: { id: 'notification-settings' },
    onSuccess: (kept) => cache.setQueryData(settingsQuery.queryKey, kept),
  })
  const switchedTo = save.isPending ? save.variables?.body?.[setting] : undefined
  return (
    <SwitchRow
      label={label}
      description={description}
      checked={switchedTo ?? settings[setting]}
      error={save.isError && failure(save.error)}
      onChange={(isOn) => save.mutate({ body: { [setting]: isOn } })}
    />
  )
}
