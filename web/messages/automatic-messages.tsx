import { Paper, Stack } from '@mantine/core'
import { fillTemplate, SAMPLE_NAME, WELCOME_TEXT } from '@tatami/contract/texting/message-types'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCan } from '../lib/current-user.ts'
import { failureMessage } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { SwitchRow } from '../ui/switch-row.tsx'
import { AppNotifications } from './app-notifications.tsx'
import { AutomatedReminders } from './automated-reminders.tsx'

export const AutomaticMessages = () => (
  <Stack gap="lg">
    <AutomatedReminders />
    <AppNotifications />
    <WelcomeMessageToggle />
  </Stack>
)

const SAMPLE_WELCOME = fillTemplate(WELCOME_TEXT, [{ name: SAMPLE_NAME }])
const welcomeQuery = endpointQuery(textingApi.welcomeSettings)

/** Is disabled while loading and reverts if saving fails (specification, section 8). */
function WelcomeMessageToggle() {
  const canChange = useCan()(textingApi.setWelcome.right)
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery(welcomeQuery)
  const save = useEndpointMutation(textingApi.setWelcome, {
    scope: { id: 'welcome-message' },
    onSuccess: ({ welcome_message_enabled }) =>
      cache.setQueryData(welcomeQuery.queryKey, { welcome_message_enabled }),
  })
  const pendingValue = save.isPending ? save.variables?.body?.welcome_message_enabled : undefined
  const loadError = isError && !data && 'The welcome message setting could not be loaded.'
  return (
    <Paper py="xs">
      <SwitchRow
        label="Welcome message"
        description={`Every new student with a phone gets: “${SAMPLE_WELCOME}”`}
        disabled={!data || !canChange}
        checked={pendingValue ?? data?.welcome_message_enabled ?? false}
        onChange={(isOn) => save.mutate({ body: { welcome_message_enabled: isOn } })}
        error={loadError || failureMessage(save, 'The welcome message setting could not be saved.')}
        onRetry={loadError ? () => void refetch() : undefined}
      />
    </Paper>
  )
}
