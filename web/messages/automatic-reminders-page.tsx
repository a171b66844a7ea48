import { Paper, Stack, Title } from '@mantine/core'
import { type UpcomingReminder, textingApi } from '@tatami/contract/texting/texting'
import { useQuery } from '@tanstack/react-query'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'
import { formatMonthOfDate, formatWeekdayAndDay } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { RemindersToggle } from './automated-reminders.tsx'
import { ComposeDialogs, HeaderComposeButton, useCompose } from './compose.tsx'
import { ReplyCommands } from './reply-commands.tsx'
import { Recipients } from '../texting/recipients.tsx'
import styles from '../texting/send-dialog.module.css'
import { ReminderText } from '../texting/text-notes.tsx'
import { SimulatorBanner } from '../texting/simulator-banner.tsx'
import { Loading } from '../ui/loading.tsx'

export function AutomaticRemindersPage() {
  const settings = useQuery(endpointQuery(textingApi.reminderSettings))
  const upcomingReminder = useAllowedQuery(textingApi.upcomingReminder)
  const isOn = settings.data?.reminders_enabled ?? true
  const compose = useCompose()
  return (
    <Stack gap="lg">
      <PageHeader title="Automatic Reminders">
        <HeaderComposeButton compose={compose} />
      </PageHeader>
      <SimulatorBanner />
      <Paper component="section" aria-label="Automatic sending" py="xs">
        <RemindersToggle settings={settings} />
      </Paper>
      <ReplyCommands />
      {upcomingReminder.data && <NextReminder reminder={upcomingReminder.data} isOn={isOn} />}
      <Loading query={upcomingReminder} error="The next reminder could not be loaded.">
        <SkeletonBlock height="20rem">Loading the next reminder...</SkeletonBlock>
      </Loading>
      <ComposeDialogs compose={compose} />
    </Stack>
  )
}

const doNothing = () => undefined

function NextReminder({ reminder, isOn }: { reminder: UpcomingReminder; isOn: boolean }) {
  const { sends_on, month, text, families, students, total_recipients } = reminder
  const monthText = formatMonthOfDate(month)
  return (
    <Paper component="section" aria-labelledby="next-reminder">
      <Stack gap="md">
        <Title order={2} id="next-reminder">
          {formatWeekdayAndDay(sends_on)}, 10 AM
        </Title>
        <p role="status" className={styles.recipientNote}>
          {!isOn && 'Automatic reminders are off, so no text will be sent.'}
          {isOn && families === 0 && `Nobody gets a text about the ${monthText} fee yet.`}
          {isOn && families > 0 && (
            <>
              <strong>{families === 1 ? '1 family' : `${families} families`}</strong>{' '}
              {families === 1 ? 'gets' : 'get'} a text about the {monthText} fee for{' '}
              {pluralize(total_recipients, 'student')}, unless they pay first.
            </>
          )}
        </p>
        <ReminderText text={text} />
        {students.length > 0 && (
          <Recipients
            message={text}
            preview={{
              isComplete: true,
              data: reminder,
              isError: false,
              isStale: false,
              refetch: doNothing,
            }}
          />
        )}
      </Stack>
    </Paper>
  )
}
