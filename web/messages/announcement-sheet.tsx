import type { Announcement } from '@tatami/contract/messages/announcements'
import { formatDateTime } from '../lib/dates.ts'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import styles from './announcement-entry.module.css'
import kit from '../ui/kit.module.css'

type Props = { announcement: Announcement; onClose: () => void }

export const AnnouncementSheet = ({
  announcement: { title, content, created_at },
  onClose,
}: Props) => (
  <Sheet opened onClose={onClose} title={title} actions={<CancelButton>Close</CancelButton>}>
    <p className={styles.content}>{content}</p>
    <time dateTime={created_at} className={kit.note}>
      {formatDateTime(created_at)}
    </time>
  </Sheet>
)
