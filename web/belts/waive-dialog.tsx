import { missingWords } from '@tatami/contract/eligibility'
import type { ReadyStudent } from '@tatami/contract/readiness'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import styles from './waive-dialog.module.css'

type Props = { students: readonly ReadyStudent[]; onClose: () => void; onConfirm: () => void }

/** Names what is missing before somebody is promoted without it. */
export function WaiveDialog({ students, onClose, onConfirm }: Props) {
  const early = students.filter(({ missing }) => missing.length > 0)
  return (
    <ConfirmDialog
      opened
      title={
        early.length === 1 ? `Promote ${early[0]!.name} early?` : `Promote ${early.length} early?`
      }
      confirm={`Promote ${students.length}`}
      busy={false}
      busyLabel=""
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p className={styles.words}>What is missing is waived, and kept with the promotion:</p>
      <ul className={styles.early}>
        {early.map(({ student_id, name, missing }) => (
          <li key={student_id}>
            <strong>{name}</strong>: {missingWords(missing)}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
