import { Button, Stack } from '@mantine/core'
import { type AuditEntry, senseiApi } from '@tatami/contract/sensei/sensei'
import { describeAction } from '../audit/describe-action.ts'
import { formatDateTime } from '../lib/dates.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { capitalize, joinNonEmpty } from '../lib/text.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './audit-log-dialog.module.css'

const PAGE_SIZE = 50

type Props = { loadingLabel: string; onClose: () => void }

export function AuditLogDialog({ loadingLabel, onClose }: Props) {
  const log = usePagedQuery(senseiApi.auditLog, { limit: PAGE_SIZE })
  const entries = log.rows
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Audit log"
      size="large"
      actions={
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      }
    >
      <Stack gap="md">
        {!entries && !log.isError && <Skeletons count={6} height={72} label={loadingLabel} />}
        {entries?.length === 0 && <EmptyState>Nothing here yet.</EmptyState>}
        {entries && entries.length > 0 && <AuditEntries entries={entries} />}
        <MoreRows query={log} error="The audit log could not be loaded." />
      </Stack>
    </Sheet>
  )
}

const AuditEntries = ({ entries }: { entries: AuditEntry[] }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrollable by keyboard
  <ol className={styles.entries} tabIndex={0}>
    {entries.map((entry) => (
      <li key={entry.id} className={styles.entry}>
        <AuditEntryText entry={entry} />
      </li>
    ))}
  </ol>
)

/** Replaces punctuation with spaces, so that a name is found even next to a comma. The spaces
 *  around the text keep a name from being found within a longer word. */
const removePunctuation = (text: string) => ` ${text.replaceAll(/[,.;:“”]/g, ' ')} `

function AuditEntryText({ entry }: { entry: AuditEntry }) {
  const { subject, dojo_name, actor, created_at } = entry
  const sentence = describeAction({ ...entry, student: null })
  const mentionsSubject =
    subject !== null && removePunctuation(sentence).includes(removePunctuation(subject))
  const details = joinNonEmpty([!mentionsSubject && subject, dojo_name], ' · ')
  return (
    <>
      <div className={styles.action}>
        {capitalize(sentence)}
        {details && <small>{details}</small>}
      </div>
      <div className={styles.actor}>
        <time dateTime={created_at}>{formatDateTime(created_at)}</time>
        <small>by {actor}</small>
      </div>
    </>
  )
}
