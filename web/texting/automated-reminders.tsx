import { REMINDERS, type Reminder } from '@tatami/contract/message-types'
import { textingApi } from '@tatami/contract/texting'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { ResultBanners } from './result-banner.tsx'
import { Rows, Section } from './section.tsx'
import { useResults } from './use-result.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import styles from './automated-reminders.module.css'
import { ReminderRow } from './reminder-row.tsx'
import { RemindersToggle } from './reminders-toggle.tsx'

const ReminderDialog = lazyPart(() => import('./reminder-dialog.tsx').then((part) => part.ReminderDialog))

/** What reminds of the fee by itself, and by hand. */
export function AutomatedReminders() {
  const settings = useQuery(endpointQuery(textingApi.reminderSettings))
  const [opened, open] = useState<Reminder | null>(null)
  const { results, show } = useResults<Reminder>()
  const close = () => open(null)
  return (
    <Section title="Automated Reminders">
      <ResultBanners results={REMINDERS.map((reminder) => results[reminder])} />
      <Rows>
        <li className={styles.toggle}>
          <RemindersToggle settings={settings} />
        </li>
        {REMINDERS.map((reminder) => (
          <ReminderRow
            key={reminder}
            reminder={reminder}
            gone={settings.data?.runs.find((run) => run.reminder === reminder)?.month}
            onOpen={() => open(reminder)}
            onNear={ReminderDialog.preload}
          />
        ))}
      </Rows>
      {opened && (
        <ReminderDialog
          reminder={opened}
          onClose={close}
          onSent={(sent) => {
            close()
            show(opened, sent)
          }}
        />
      )}
    </Section>
  )
}
