import { IconAlertTriangle } from '@tabler/icons-react'
import { headline } from './recipients-words.ts'
import styles from './reach.module.css'
import type { Previewed } from './use-preview.ts'

/** How many get it, and whether the day has room for them: beside the button, since one press sends. */
export function Reach({ preview: { canKnow, data, isStale } }: { preview: Previewed }) {
  const known = canKnow ? data : undefined
  const tooMany = known ? known.total_recipients - known.remaining_messages : 0
  return (
    <div role="status" aria-busy={isStale} className={styles.reach}>
      <span className={styles.headline}>{known && headline(known)}{!canKnow && 'Select a class to see who gets it'}</span>
      {tooMany > 0 && (
        <span className={styles.tooMany}>
          <IconAlertTriangle size={20} aria-hidden />
          This does not fit into today’s texts: {tooMany} too many. All are sent or none.
        </span>
      )}
    </div>
  )
}
