import { IconAlertTriangle } from '@tabler/icons-react'
import styles from './sending-dialog.module.css'
import type { Previewed } from './use-preview.ts'

/** Says before it is pressed that the day has no room for it. */
export function TooMany({ preview: { canKnow, data } }: { preview: Previewed }) {
  const tooMany = canKnow && data ? data.total_recipients - data.remaining_messages : 0
  return (
    tooMany > 0 && (
      <p role="status" className={styles.warning}>
        <IconAlertTriangle size={20} aria-hidden />
        <span>This does not fit into today’s texts: {tooMany} too many. All are sent or none.</span>
      </p>
    )
  )
}
