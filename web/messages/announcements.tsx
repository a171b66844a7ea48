import {
  IconCalendarDollar,
  IconClockExclamation,
  IconCloudStorm,
  IconSpeakerphone,
  type Icon,
} from '@tabler/icons-react'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { BULK_MESSAGES, type WrittenType } from '../texting/bulk-messages.ts'
import kit from '../ui/kit.module.css'
import styles from './message-center.module.css'
import { ResultBanners, type SendResult, useSendResults } from '../texting/result-banner.tsx'
import { Section } from './section.tsx'

const BulkMessageDialog = lazyComponent(
  () => import('../texting/bulk-message-dialog.tsx'),
  'BulkMessageDialog',
)

const BUTTONS: { type: WrittenType; icon: Icon }[] = [
  { type: 'special_announcement', icon: IconSpeakerphone },
  { type: 'weather_cancel', icon: IconCloudStorm },
  { type: 'monthly_fee', icon: IconCalendarDollar },
  { type: 'late_fee', icon: IconClockExclamation },
]

export function CustomAnnouncements() {
  const [openType, setOpenType] = useState(
    () => BUTTONS.find(({ type }) => type === drafts.subjectOf('message'))?.type ?? null,
  )
  const { results, show } = useSendResults()
  const close = () => setOpenType(null)
  const onSent = (result: SendResult) => {
    close()
    show(result)
  }
  return (
    <Section title="Custom Announcements">
      <ResultBanners results={results} />
      <div className={styles.tiles}>
        {BUTTONS.map(({ type, icon: ButtonIcon }) => (
          <button
            key={type}
            type="button"
            className={`${kit.card} ${kit.line} ${styles.tile}`}
            onClick={() => setOpenType(type)}
            {...BulkMessageDialog.preloadOnHover}
          >
            <ButtonIcon size={24} stroke={1.5} aria-hidden />
            {BULK_MESSAGES[type].name}
          </button>
        ))}
      </div>
      {openType && <BulkMessageDialog type={openType} onClose={close} onSent={onSent} />}
    </Section>
  )
}
