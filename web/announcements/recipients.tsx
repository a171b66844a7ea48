import { IconAlertTriangle } from '@tabler/icons-react'
import type { Preview } from '@tatami/contract/messages'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { WaitingBlock } from '../ui/waiting-block.tsx'
import { RecipientList } from './recipient-list.tsx'
import { amount, headline } from './recipients-words.ts'
import styles from './recipients.module.css'
import type { usePreview } from './use-preview.ts'
import { weightOf } from './weight.ts'

type Props = { preview: ReturnType<typeof usePreview>; words: string }

/** Who gets it and who does not, how many texts that makes, and whether the day has room for them. */
export function Recipients({ preview: { canKnow, data, isError, isStale, refetch }, words }: Props) {
  return (
    <section aria-labelledby="who-gets-it" className={styles.recipients}>
      <h3 id="who-gets-it" className={styles.heading}>Who gets it</h3>
      {!canKnow && <p className={styles.hint}>Select a class to see who gets it.</p>}
      {canKnow && isError && <ErrorNotice onRetry={refetch}>Who gets it could not be worked out. You can still send.</ErrorNotice>}
      {canKnow && !data && !isError && <WaitingBlock height="6rem" />}
      {canKnow && data && <Known preview={data} words={words} isStale={isStale} />}
    </section>
  )
}

function Known({ preview, words, isStale }: { preview: Preview; words: string; isStale: boolean }) {
  const { students, total_recipients, remaining_messages: remaining } = preview
  const weight = weightOf(words, students.filter(({ sends }) => sends).map(({ name }) => name))
  return (
    <div className={styles.known} aria-busy={isStale}>
      <div role="status">
        <p className={styles.headline}>{students.length > 0 ? headline(preview) : 'Nobody gets this: you have no students yet'}</p>
        <p className={styles.amount}>{amount(weight, remaining)}</p>
        {weight.isUnicode && <p className={styles.amount}>With this emoji or letter a segment holds 70 characters instead of 160.</p>}
        {total_recipients > remaining && (
          <p className={styles.tooMany}>
            <IconAlertTriangle size={20} aria-hidden />
            <span>This does not fit into today’s texts: {total_recipients - remaining} too many. All are sent or none.</span>
          </p>
        )}
      </div>
      {students.length > 0 && <RecipientList students={students} />}
    </div>
  )
}
