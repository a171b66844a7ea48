import { IconCalendarDollar, IconClockExclamation, IconCloudStorm, IconSpeakerphone, type Icon } from '@tabler/icons-react'
import type { MessageType } from '@tatami/contract/message-types'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { ResultBanners } from './result-banner.tsx'
import { Section } from './section.tsx'
import { type Result, useResults } from './use-result.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import styles from './custom-announcements.module.css'
import { SENDINGS } from './sendings.ts'

const SendingDialog = lazyPart(() => import('./sending-dialog.tsx').then((part) => part.SendingDialog))

const BUTTONS: { type: MessageType; icon: Icon }[] = [
  { type: 'special_announcement', icon: IconSpeakerphone },
  { type: 'weather_cancel', icon: IconCloudStorm },
  { type: 'monthly_fee', icon: IconCalendarDollar },
  { type: 'late_fee', icon: IconClockExclamation },
]

/** Messages that are written by hand. */
export function CustomAnnouncements() {
  const [opened, setOpened] = useState(() => (drafts.subjectOf('message') as MessageType | undefined) ?? null)
  const { results, show } = useResults<MessageType>()
  const close = () => setOpened(null)
  const onSent = (type: MessageType, sent: Result) => {
    close()
    show(type, sent)
  }
  return (
    <Section title="Custom Announcements">
      <ResultBanners results={BUTTONS.map(({ type }) => results[type])} />
      <div className={styles.tiles}>
        {BUTTONS.map(({ type, icon: Sign }) => (
          <button
            key={type}
            type="button"
            className={styles.tile}
            onClick={() => setOpened(type)}
            onPointerEnter={SendingDialog.preload}
            onFocus={SendingDialog.preload}
          >
            <Sign size={24} stroke={1.5} aria-hidden />
            {SENDINGS[type].type}
          </button>
        ))}
      </div>
      {opened && <SendingDialog type={opened} onClose={close} onSent={(sent) => onSent(opened, sent)} />}
    </Section>
  )
}
