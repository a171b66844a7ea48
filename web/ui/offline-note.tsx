import { IconCloudOff } from '@tabler/icons-react'
import { formatTimeOrDate } from '../lib/dates.ts'
import { useOldestCopyTime } from '../lib/offline.ts'
import styles from './offline-note.module.css'
import kit from './kit.module.css'

export function OfflineNote() {
  const copyTime = useOldestCopyTime()
  return (
    <span role="status" className={`${kit.note} ${styles.note}`}>
      {copyTime !== undefined && (
        <>
          <IconCloudOff size={16} aria-hidden /> Offline · as of{' '}
          {formatTimeOrDate(new Date(copyTime).toISOString())}
        </>
      )}
    </span>
  )
}
