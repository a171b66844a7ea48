import { Text } from '@mantine/core'
import { IconBell, IconBellDollar } from '@tabler/icons-react'
import { useState } from 'react'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { useCan } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import kit from '../ui/kit.module.css'
import styles from './message-center.module.css'
import { ResultBanner, createSuccessResult, useSendResult } from '../texting/result-banner.tsx'
import { Section } from './section.tsx'

const NotificationDialog = lazyComponent(
  () => import('./notification-dialogs.tsx'),
  'NotificationDialog',
)
const FeeNotificationDialog = lazyComponent(
  () => import('./notification-dialogs.tsx'),
  'FeeNotificationDialog',
)

const NOTIFICATION_TYPES = [
  {
    name: 'Notification',
    icon: IconBell,
    Dialog: NotificationDialog,
    draftKey: 'notification',
    right: announcementsApi.send.right,
  },
  {
    name: 'Fee Notification',
    icon: IconBellDollar,
    Dialog: FeeNotificationDialog,
    draftKey: 'fee-notification',
    right: announcementsApi.sendFeeReminder.right,
  },
]

export function AppNotifications() {
  const can = useCan()
  const [openType, setOpenType] = useState(
    () =>
      NOTIFICATION_TYPES.find(({ draftKey }) => drafts.subjectOf(draftKey) !== undefined) ?? null,
  )
  const { result, show: showResult } = useSendResult()
  const close = () => setOpenType(null)
  const onSent = (recipients: number) => {
    close()
    showResult({
      ...createSuccessResult(openType?.name ?? '', recipients),
      isAppNotification: true,
    })
  }
  return (
    <Section title="App Notifications">
      <Text c="dimmed">
        Students see these under the bell. They don’t count toward your daily limit of texts.
      </Text>
      <ResultBanner result={result} />
      <div className={styles.tiles}>
        {NOTIFICATION_TYPES.filter(({ right }) => can(right)).map((type) => (
          <button
            key={type.name}
            type="button"
            className={`${kit.card} ${kit.line} ${styles.tile}`}
            onClick={() => setOpenType(type)}
            onPointerEnter={type.Dialog.preload}
            onFocus={type.Dialog.preload}
          >
            <type.icon size={24} stroke={1.5} aria-hidden />
            {type.name}
          </button>
        ))}
      </div>
      {openType && <openType.Dialog title={openType.name} onClose={close} onSent={onSent} />}
    </Section>
  )
}
