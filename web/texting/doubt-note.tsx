import styles from './sending-dialog.module.css'
import type { Doubt } from './use-sending.ts'

const WORDS: Record<Doubt, string> = {
  unanswered: 'No answer came in time, so it may or may not have gone out. Press Send again: nobody gets it twice.',
  'sent-before': 'The earlier version has gone out. This one has not; Send sends it as a second message.',
}

/** Stays until it is settled what became of a try without an answer. */
export const DoubtNote = ({ doubt }: { doubt: Doubt | null }) =>
  doubt && (
    <p role="status" className={styles.doubt}>
      {WORDS[doubt]}
    </p>
  )
