import styles from './sending-dialog.module.css'
import type { Doubt } from './use-sending.ts'

const WORDS: Record<Doubt, string> = {
  unanswered: 'No answer came in time, so it may have gone out or not. Press Send again: nobody gets it twice.',
  'sent-before': 'It had gone out as it was before you changed it. What stands here now was not sent; Send makes it a second message.',
}

/** Stays until it is settled what became of a try without an answer. */
export const DoubtNote = ({ doubt }: { doubt: Doubt | null }) =>
  doubt && (
    <p role="status" className={styles.doubt}>
      {WORDS[doubt]}
    </p>
  )
