import { Text } from '@mantine/core'
import { IconBell, IconBellDollar } from '@tabler/icons-react'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { ResultBanner } from './result-banner.tsx'
import { succeeded } from './result-words.ts'
import { Section } from './section.tsx'
import { useResult } from './use-result.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import styles from './custom-announcements.module.css'

const NotificationDialog = lazyPart(() => import('./notification-dialog.tsx').then((part) => part.NotificationDialog))
const FeeNotificationDialog = lazyPart(() => import('./fee-notification-dialog.tsx').then((part) => part.FeeNotificationDialog))

const KINDS = [
  { name: 'Notification', icon: IconBell, Dialog: NotificationDialog, draft: 'notification' },
  { name: 'Fee Notification', icon: IconBellDollar, Dialog: FeeNotificationDialog, draft: 'fee-notification' },
]

/** Notices that stand under the students' bell and are no texts. */
export function AppNotifications() {
  const [opened, setOpened] = useState(() => KINDS.find(({ draft }) => drafts.subjectOf(draft) !== undefined) ?? null)
  const { result, show } = useResult()
  const close = () => setOpened(null)
  const onSent = (recipients: number) => {
    close()
    show(succeeded(opened?.name ?? '', recipients))
  }
  return (
    <Section title="App Notifications">
      <Text c="dimmed">Students see them under their bell. They use none of the day’s texts.</Text>
      <ResultBanner result={result} />
      <div className={styles.tiles}>
        {KINDS.map((kind) => (
          <button
            key={kind.name}
            type="button"
            className={styles.tile}
            onClick={() => setOpened(kind)}
            onPointerEnter={kind.Dialog.preload}
            onFocus={kind.Dialog.preload}
          >
            <kind.icon size={24} stroke={1.5} aria-hidden />
            {kind.name}
          </button>
        ))}
      </div>
      {opened && <opened.Dialog title={opened.name} onClose={close} onSent={onSent} />}
    </Section>
  )
}
