import { Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { notificationsApi, type NotificationSettings } from '@tatami/contract/notifications'
import { ApiError } from '../kernel/api.ts'
import { useEndpointMutation } from '../kernel/query.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import classes from './setting-switch.module.css'
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
    <div className={classes.setting}>
      <Switch label={label} description={description} labelPosition="left" size="md" classNames={classes} checked={switchedTo ?? settings[setting]}
        onChange={(event) => save.mutate({ body: { [setting]: event.currentTarget.checked } })} />
      <ErrorNotice>{save.isError && failure(save.error)}</ErrorNotice>
    </div>
  )
}
