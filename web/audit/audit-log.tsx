import { NativeSelect, Stack } from '@mantine/core'
import { AUDIT_KINDS, type AuditKind } from '@tatami/contract/audit/kinds'
import { auditApi, type AuditEntry } from '@tatami/contract/audit/audit'
import { formatDateTime } from '../lib/dates.ts'
import { useUrlChoice } from '../lib/url-query.ts'
import { usePagedQuery } from '../lib/use-paged-query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import styles from './audit-log.module.css'
import { describeAction } from './describe-action.ts'
import kit from '../ui/kit.module.css'

const PAGE_SIZE = 50

const KIND_LABELS: Record<AuditKind, string> = {
  students: 'Students',
  families: 'Families',
  log_ins: 'Logins and passwords',
  staff: 'Staff',
  payments: 'Payments and prices',
  classes: 'Classes',
  belts: 'Belts',
  texts: 'Texts and announcements',
  documents: 'Documents and signatures',
  settings: 'Settings',
  exports: 'Downloads',
}
/** Shown if an entry has no actor name. Empty for actors who always have a name. */
const UNNAMED_ACTORS: Record<AuditEntry['actor_kind'], string> = {
  instructor: '',
  guardian: '',
  student: '',
  kiosk: '',
  admin: 'The admin team',
  system: 'Tatami',
  gone: 'A former member',
}
const KINDS = ['all', ...AUDIT_KINDS] as const
const findKind = (value: string) => KINDS.find((kind) => kind === value) ?? 'all'

export function AuditLog() {
  const [kind, setKind] = useUrlChoice('kind', KINDS)
  const log = usePagedQuery(auditApi.list, {
    limit: PAGE_SIZE,
    filter: { kind: kind === 'all' ? undefined : kind },
  })
  const entries = log.rows
  return (
    <Stack gap="md">
      <PageHeader
        title="Audit Log"
        subtitle="Who did what in your dojo. This log can’t be changed or deleted."
      />
      <NativeSelect
        className={styles.filter}
        label="Show"
        value={kind}
        onChange={(event) => setKind(findKind(event.currentTarget.value))}
        data={[
          { value: 'all', label: 'Everything' },
          ...AUDIT_KINDS.map((option) => ({ value: option, label: KIND_LABELS[option] })),
        ]}
      />
      {!entries && !log.isError && (
        <Skeletons count={8} height={64} label="Loading the audit log..." />
      )}
      {entries?.length === 0 && (
        <EmptyState>
          {kind === 'all' ? 'Nothing here yet.' : 'No entries of this kind yet.'}
        </EmptyState>
      )}
      {entries && entries.length > 0 && (
        <ol className={styles.entries} data-outdated={log.isPlaceholderData}>
          {entries.map((entry) => (
            <li key={entry.id} className={styles.entry}>
              <EntryLine entry={entry} />
            </li>
          ))}
        </ol>
      )}
      <MoreRows query={log} error="The audit log could not be loaded." />
    </Stack>
  )
}

function EntryLine({ entry }: { entry: AuditEntry }) {
  const sentence = describeAction(entry)
  return (
    <>
      <span className={styles.sentence}>
        <b>{entry.actor ?? UNNAMED_ACTORS[entry.actor_kind]}</b>{' '}
        {entry.student_id ? (
          <SentenceWithStudentLink
            id={entry.student_id}
            name={entry.student ?? entry.subject ?? ''}
            sentence={sentence}
          />
        ) : (
          sentence
        )}
      </span>
      <time className={kit.note} dateTime={entry.created_at}>
        {formatDateTime(entry.created_at)}
      </time>
    </>
  )
}

type LinkProps = { id: string; name: string; sentence: string }

function SentenceWithStudentLink({ id, name, sentence }: LinkProps) {
  const start = name ? sentence.indexOf(name) : -1
  if (start < 0) return sentence
  return (
    <>
      {sentence.slice(0, start)}
      <StudentLink id={id} isInText>
        {name}
      </StudentLink>
      {sentence.slice(start + name.length)}
    </>
  )
}
