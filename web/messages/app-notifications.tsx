import { Text } from '@mantine/core'
import { IconBell, IconBellDollar } from '@tabler/icons-react'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import kit from '../ui/kit.module.css'
import styles from './message-center.module.css'
import { ResultBanner, successResult, useResult } from '../texting/result-banner.tsx'
import { Section } from './section.tsx'

const NotificationDialog = lazyComponent(
  () => import('./notification-dialogs.tsx'),
  'NotificationDialog',
)
const FeeNotificationDialog = lazyComponent(
  () => import('./notification-dialogs.tsx'),
  'FeeNotificationDialog',
)

const KINDS = [
  { name: 'Notification', icon: IconBell, Dialog: NotificationDialog, draft: 'notification' },
  {
    name: 'Fee Notification',
    icon: IconBellDollar,
    Dialog: FeeNotificationDialog,
    draft: 'fee-notification',
  },
]

export function AppNotifications() {
  const [openKind, setOpenKind] = useState(
    () => KINDS.find(({ draft }) => drafts.subjectOf(draft) !== undefined) ?? null,
  )
  const { result, show } = useResult()
  const close = () => setOpenKind(null)
  const onSent = (recipients: number) => {
    close()
    show({ ...successResult(openKind?.name ?? '', recipients), isNotice: true })
  }
  return (
    <Section title="App Notifications">
      <Text c="dimmed">
        Students see these under the bell. They don’t count toward your daily texts.
      </Text>
      <ResultBanner result={result} />
      <div className={styles.tiles}>
        {KINDS.map((kind) => (
          <button
            key={kind.name}
            type="button"
            className={`${kit.card} ${kit.line} ${styles.tile}`}
            onClick={() => setOpenKind(kind)}
            onPointerEnter={kind.Dialog.preload}
            onFocus={kind.Dialog.preload}
          >
            <kind.icon size={24} stroke={1.5} aria-hidden />
            {kind.name}
          </button>
        ))}
      </div>
      {openKind && <openKind.Dialog title={openKind.name} onClose={close} onSent={onSent} />}
    </Section>
  )
}
