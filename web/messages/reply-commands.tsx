import { Paper } from '@mantine/core'
import { conversationsApi, type ReplySettings } from '@tatami/contract/texting/conversations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCan } from '../lib/current-user.ts'
import { failureMessage } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { SwitchRow } from '../ui/switch-row.tsx'

const settingsQuery = endpointQuery(conversationsApi.replySettings)

const COMMANDS: { field: keyof ReplySettings; label: string; description: string }[] = [
  {
    field: 'out_enabled',
    label: 'Reply OUT to be excused',
    description:
      'Families text OUT, or OUT and a name, to miss the next class day. It shows on the roll.',
  },
  {
    field: 'ok_enabled',
    label: 'Reply OK to a cancellation',
    description:
      'Families text OK once they have read it. You see who hasn’t, with their phone numbers.',
  },
]

/** STOP, START and HELP always work, because the carriers require them. */
export function ReplyCommands() {
  const canChange = useCan()(conversationsApi.setReplySettings.right)
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery(settingsQuery)
  const save = useEndpointMutation(conversationsApi.setReplySettings, {
    scope: { id: 'reply-commands' },
    onSuccess: ({ out_enabled, ok_enabled }) =>
      cache.setQueryData(settingsQuery.queryKey, { out_enabled, ok_enabled }),
  })
  const settings = (save.isPending && save.variables?.body) || data
  const loadError = isError && !data && 'The reply settings could not be loaded.'
  return (
    <Paper py="xs">
      {COMMANDS.map(({ field, label, description }, index) => (
        <SwitchRow
          key={field}
          label={label}
          description={description}
          disabled={!data || !canChange}
          checked={settings?.[field] ?? false}
          onChange={(isOn) =>
            data && save.mutate({ body: { ...(settings ?? data), [field]: isOn } })
          }
          error={
            index === 0 &&
            (loadError || failureMessage(save, 'The reply settings could not be saved.'))
          }
          onRetry={loadError ? () => void refetch() : undefined}
        />
      ))}
    </Paper>
  )
}
