import { IconCloudStorm, IconSpeakerphone, type Icon } from '@tabler/icons-react'
import { BULK_MESSAGES, type WrittenType } from '../texting/bulk-messages.ts'
import styles from './message-center.module.css'
import { Section } from './section.tsx'
import kit from '../ui/kit.module.css'

/** Compose offers these types, and also fee reminders. */
const BUTTONS: { type: WrittenType; icon: Icon }[] = [
  { type: 'special_announcement', icon: IconSpeakerphone },
  { type: 'weather_cancel', icon: IconCloudStorm },
]

type Props = { onOpen: (type: WrittenType) => void; preload: () => void }

export const CustomAnnouncements = ({ onOpen, preload }: Props) => (
  <Section title="Custom Announcements">
    <div className={styles.tiles}>
      {BUTTONS.map(({ type, icon: ButtonIcon }) => (
        <button
          key={type}
          type="button"
          className={`${kit.card} ${kit.line} ${styles.tile}`}
          onClick={() => onOpen(type)}
          onPointerEnter={preload}
          onFocus={preload}
        >
          <ButtonIcon size={24} stroke={1.5} aria-hidden />
          {BULK_MESSAGES[type].name}
        </button>
      ))}
    </div>
  </Section>
)
