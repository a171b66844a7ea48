import { REMINDERS, type Reminder } from '@tatami/contract/texting/message-types'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useState, useId } from 'react'
import { IconCheck, IconChevronRight } from '@tabler/icons-react'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { useCan } from '../lib/current-user.ts'
import { failureMessage } from '../lib/api.ts'
import { formatMonthOfDate, dojoTimeZone } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { FramedList } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import { REMINDER_DETAILS } from '../texting/bulk-messages.ts'
import styles from './message-center.module.css'
import { ResultBanners, useSendResults } from '../texting/result-banner.tsx'
import { Section } from './section.tsx'
import kit from '../ui/kit.module.css'

const ReminderDialog = lazyComponent(() => import('./reminder-dialog.tsx'), 'ReminderDialog')

export function AutomatedReminders() {
  const can = useCan()
  const settings = useQuery(endpointQuery(textingApi.reminderSettings))
  const [openReminder, setOpenReminder] = useState<Reminder | null>(null)
  const { results, show: showResult } = useSendResults()
  const close = () => setOpenReminder(null)
  return (
    <Section title="Automated Reminders">
      <ResultBanners results={results} />
      <FramedList>
        <li className={styles.remindersToggle}>
          <RemindersToggle settings={settings} />
        </li>
        {can('money.see') &&
          REMINDERS.map((reminder) => (
            <ReminderRow
              key={reminder}
              reminder={reminder}
              lastMonth={settings.data?.runs.find((run) => run.reminder === reminder)?.month}
              onOpen={() => setOpenReminder(reminder)}
            />
          ))}
      </FramedList>
      {openReminder && (
        <ReminderDialog
          reminder={openReminder}
          onClose={close}
          onSent={(result) => {
            close()
            showResult(result)
          }}
        />
      )}
    </Section>
  )
}

type RowProps = { reminder: Reminder; lastMonth: string | undefined; onOpen: () => void }

function ReminderRow({ reminder, lastMonth, onOpen }: RowProps) {
  const detailsId = useId()
  const { name, day } = REMINDER_DETAILS[reminder]
  return (
    <li className={`${kit.line} ${styles.buttonRow} ${styles.reminderRow}`}>
      <div>
        <button
          type="button"
          className={`${kit.bareButton} ${kit.strong} ${styles.rowButton}`}
          aria-haspopup="dialog"
          aria-describedby={detailsId}
          onClick={onOpen}
          {...ReminderDialog.preloadOnHover}
        >
          {name}
        </button>
        <p id={detailsId} className={`${kit.wrap} ${kit.note} ${styles.reminderDetails}`}>
          <span>{day}</span>
          {lastMonth && (
            <span className={`${kit.inline} ${kit.green}`}>
              <IconCheck size={16} aria-hidden />
              Sent for {formatMonthOfDate(lastMonth)}
            </span>
          )}
        </p>
      </div>
      <IconChevronRight size={20} aria-hidden className={kit.muted} />
    </li>
  )
}

type Settings = Reply<typeof textingApi.reminderSettings>

const abbreviateTimeZone = (timeZone: string | undefined) =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value

type Props = { settings: UseQueryResult<Settings> }

export function RemindersToggle({ settings: { data, isError, refetch } }: Props) {
  const canChange = useCan()(textingApi.setReminders.right)
  const cache = useQueryClient()
  const save = useEndpointMutation(textingApi.setReminders, {
    scope: { id: 'reminders' },
    onSuccess: ({ reminders_enabled }) =>
      cache.setQueryData(
        endpointQuery(textingApi.reminderSettings).queryKey,
        (current) => current && { ...current, reminders_enabled },
      ),
  })
  const pendingValue = save.isPending ? save.variables?.body?.reminders_enabled : undefined
  const loadError = isError && !data && 'The reminder settings could not be loaded.'
  const sendTime = `10 AM ${abbreviateTimeZone(dojoTimeZone())}`
  return (
    <SwitchRow
      label="Send automatically"
      disabled={!data || !canChange}
      checked={pendingValue ?? data?.reminders_enabled ?? false}
      description={
        <>
          Sent at {sendTime} on the days below to students who haven’t paid. Students on trial or
          vacation don’t get them.
        </>
      }
      onChange={(isOn) => save.mutate({ body: { reminders_enabled: isOn } })}
      error={loadError || failureMessage(save, 'The reminder settings could not be saved.')}
      onRetry={loadError ? () => void refetch() : undefined}
    />
  )
}
