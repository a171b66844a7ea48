import { Paper, Stack } from '@mantine/core'
import { fillTemplate, SAMPLE_NAME, WELCOME_TEXT } from '@tatami/contract/texting/message-types'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { failureMessage } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { SwitchRow } from '../ui/switch-row.tsx'
import { AppNotifications } from './app-notifications.tsx'
import { AutomatedReminders } from './automated-reminders.tsx'
import { ReplyCommands } from './reply-commands.tsx'

export const AutomaticMessages = () => (
  <Stack gap="lg">
    <AutomatedReminders />
    <AppNotifications />
    <WelcomeToggle />
    <ReplyCommands />
  </Stack>
)

const SAMPLE_WELCOME = fillTemplate(WELCOME_TEXT, [{ name: SAMPLE_NAME }])
const welcomeQuery = endpointQuery(textingApi.welcomeSettings)

/** Reverts if saving fails, disabled while loading (specification, section 8). */
function WelcomeToggle() {
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery(welcomeQuery)
  const save = useEndpointMutation(textingApi.setWelcome, {
    scope: { id: 'welcome-message' },
    onSuccess: ({ welcome_message_enabled }) =>
      cache.setQueryData(welcomeQuery.queryKey, { welcome_message_enabled }),
  })
  const switchedTo = save.isPending ? save.variables?.body?.welcome_message_enabled : undefined
  const notLoaded = isError && !data && 'The welcome message setting could not be loaded.'
  return (
    <Paper py="xs">
      <SwitchRow
        label="Welcome message"
        description={`Every new student with a phone gets: “${SAMPLE_WELCOME}”`}
        disabled={!data}
        checked={switchedTo ?? data?.welcome_message_enabled ?? false}
        onChange={(isOn) => save.mutate({ body: { welcome_message_enabled: isOn } })}
        error={notLoaded || failureMessage(save, 'The welcome message setting could not be saved.')}
        onRetry={notLoaded ? () => void refetch() : undefined}
      />
    </Paper>
  )
}
