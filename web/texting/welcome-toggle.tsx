import { Paper } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { fillTemplate, SAMPLE_NAME, WELCOME_TEXT } from '@tatami/contract/message-types'
import { textingApi } from '@tatami/contract/texting'
import { explain } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { SwitchRow } from '../ui/switch-row.tsx'

const settingsQuery = endpointQuery(textingApi.welcomeSettings)

/** Whether new students are greeted by text. Switched back when keeping it fails, disabled while it is not known (specification, section 8). */
export function WelcomeToggle() {
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery(settingsQuery)
  const save = useEndpointMutation(textingApi.setWelcome, {
    scope: { id: 'welcome-message' },
    onSuccess: ({ welcome_message_enabled }) => cache.setQueryData(settingsQuery.queryKey, { welcome_message_enabled }),
  })
  const switchedTo = save.isPending ? save.variables?.body?.welcome_message_enabled : undefined
  const notLoaded = isError && !data && 'The welcome message setting could not be loaded.'
  return (
    <Paper py="xs">
      <SwitchRow
        label="Welcome message"
        description={`Every new student with a phone gets: “${fillTemplate(WELCOME_TEXT, SAMPLE_NAME)}”`}
        disabled={!data}
        checked={switchedTo ?? data?.welcome_message_enabled ?? false}
        onChange={(isOn) => save.mutate({ body: { welcome_message_enabled: isOn } })}
        error={notLoaded || (save.isError && explain(save.error, 'The welcome message setting could not be saved.'))}
        onRetry={notLoaded ? () => void refetch() : undefined}
      />
    </Paper>
  )
}
