import { Button, Stack } from '@mantine/core'
import { type AuditLine, senseiApi } from '@tatami/contract/sensei'
import { formatDateTime } from '../lib/dates.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './audit-log-dialog.module.css'
import { auditWords } from './audit-words.ts'

const LINES = 50

/** What was done by whom, for when somebody asks. */
export function AuditLogDialog({ loading, onClose }: { loading: string; onClose: () => void }) {
  const log = usePagedQuery(senseiApi.auditLog, { limit: LINES })
  const lines = log.rows
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
        {!lines && !log.isError && <Skeletons count={6} height={72} label={loading} />}
        {lines?.length === 0 && <EmptyState>Nothing has been done yet.</EmptyState>}
        {lines && lines.length > 0 && <AuditLines lines={lines} />}
        <MoreRows of={log} failed="The audit log could not be loaded." />
      </Stack>
    </Sheet>
  )
}

const AuditLines = ({ lines }: { lines: AuditLine[] }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be in reach of the keyboard.
  <ol className={styles.lines} tabIndex={0}>
    {lines.map((line) => (
      <li key={line.id} className={styles.line}>
        <Line line={line} />
      </li>
    ))}
  </ol>
)

function Line({ line }: { line: AuditLine }) {
  const { subject, dojo_name, actor, created_at } = line
  const about = [subject, dojo_name].filter(Boolean).join(' · ')
  return (
    <>
      <div className={styles.what}>
        {auditWords(line)}
        {about && <small>{about}</small>}
      </div>
      <div className={styles.who}>
        <time dateTime={created_at}>{formatDateTime(created_at)}</time>
        <small>by {actor}</small>
      </div>
    </>
  )
}
