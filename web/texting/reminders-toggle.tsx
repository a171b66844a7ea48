import { textingApi } from '@tatami/contract/texting'
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { Reply } from '@tatami/contract/endpoint'
import { explain } from '../lib/api.ts'
import { dojoTimeZone } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { SwitchRow } from '../ui/switch-row.tsx'

type Settings = Reply<typeof textingApi.reminderSettings>

/** "CST", or in summer "CDT" */
const shortName = (timeZone: string | undefined) =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts().find(({ type }) => type === 'timeZoneName')?.value

/** Whether the reminders go out by themselves, and when and to whom they do. */
export function RemindersToggle({ settings: { data, isError, refetch } }: { settings: UseQueryResult<Settings> }) {
  const cache = useQueryClient()
  const save = useEndpointMutation(textingApi.setReminders, {
    scope: { id: 'reminders' },
    onSuccess: ({ reminders_enabled }) =>
      cache.setQueryData(endpointQuery(textingApi.reminderSettings).queryKey, (known) => known && { ...known, reminders_enabled }),
  })
  const switchedTo = save.isPending ? save.variables?.body?.reminders_enabled : undefined
  const notLoaded = isError && !data && 'The reminder settings could not be loaded.'
  const hour = `10 AM ${shortName(dojoTimeZone())}`
  return (
    <SwitchRow
      label="Send automatically"
      disabled={!data}
      checked={switchedTo ?? data?.reminders_enabled ?? false}
      description={`At ${hour} on the days below, to students who have not paid for the month. Students on trial or on vacation get none.`}
      onChange={(isOn) => save.mutate({ body: { reminders_enabled: isOn } })}
      error={notLoaded || (save.isError && explain(save.error, 'The reminder settings could not be saved.'))}
      onRetry={notLoaded ? () => void refetch() : undefined}
    />
  )
}
