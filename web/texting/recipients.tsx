import type { Preview } from '@tatami/contract/bulk-message'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { WaitingBlock } from '../ui/waiting-block.tsx'
import { RecipientList } from './recipient-list.tsx'
import { amount, CAUSES } from './recipients-words.ts'
import styles from './recipients.module.css'
import type { Previewed } from './use-preview.ts'
import { weightOf } from './weight.ts'

type Props = { preview: Previewed; words: string }

/** How many texts it makes, and name by name who gets one and why the others do not. */
export function Recipients({ preview: { canKnow, data, isError, refetch }, words }: Props) {
  if (!canKnow) return null
  return (
    <section aria-labelledby="who-gets-it" className={styles.recipients}>
      <h3 id="who-gets-it" className={styles.heading}>
        Who gets it
      </h3>
      {isError && <ErrorNotice onRetry={refetch}>The recipients could not be worked out. You can still send.</ErrorNotice>}
      {!data && !isError && <WaitingBlock height="4.75rem" />}
      {data && <Known preview={data} words={words} />}
    </section>
  )
}

function Known({ preview: { students, remaining_messages }, words }: { preview: Preview; words: string }) {
  const weight = weightOf(
    words,
    students.filter(({ sends }) => sends).map(({ name }) => name),
  )
  return (
    <div className={styles.known}>
      <p className={styles.amount}>{amount(weight, remaining_messages)}</p>
      {weight.cause && <p className={styles.amount}>{CAUSES[weight.cause]}</p>}
      {students.length > 0 && <RecipientList students={students} />}
    </div>
  )
}
