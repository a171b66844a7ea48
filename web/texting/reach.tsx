import { headline } from './recipients-words.ts'
import styles from './reach.module.css'
import type { Previewed } from './use-preview.ts'

/** How many get it: beside the button, since one press sends. */
export const Reach = ({ preview: { canKnow, data, isError, isStale } }: { preview: Previewed }) =>
  !isError && (
    <p role="status" aria-busy={isStale} className={styles.reach}>
      {canKnow ? data && headline(data) : 'Select a class to see who gets it'}
    </p>
  )
