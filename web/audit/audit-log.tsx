import { NativeSelect, Stack } from '@mantine/core'
import { AUDIT_KINDS, type AuditKind } from '@tatami/contract/audit/actions'
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
import { describeAct } from './describe-act.ts'
import kit from '../ui/kit.module.css'

const PAGE_SIZE = 50

const LABELS: Record<AuditKind, string> = {
  students: 'Students',
  families: 'Families',
  log_ins: 'Logins and passwords',
  payments: 'Payments and prices',
  classes: 'Classes',
  belts: 'Belts',
  texts: 'Texts and announcements',
  settings: 'Settings',
  exports: 'Downloads',
}
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

export function AuditLog() {
  const [kind, setKind] = useUrlChoice('kind', KINDS)
  const log = usePagedQuery(auditApi.list, {
    limit: PAGE_SIZE,
    filter: { kind: kind === 'all' ? undefined : kind },
  })
  const acts = log.rows
  return (
    <Stack gap="md">
      <PageHeader
        title="Audit Log"
        subtitle="Who did what in your dojo. Nobody can change or delete this log."
      />
      <NativeSelect
        className={styles.filter}
        label="Show"
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as (typeof KINDS)[number])}
        data={[
          { value: 'all', label: 'Everything' },
          ...AUDIT_KINDS.map((option) => ({ value: option, label: LABELS[option] })),
        ]}
      />
      {!acts && !log.isError && (
        <Skeletons count={8} height={64} label="Loading the audit log..." />
      )}
      {acts?.length === 0 && (
        <EmptyState>
          {kind === 'all' ? 'Nothing here yet.' : 'Nothing of this kind yet.'}
        </EmptyState>
      )}
      {acts && acts.length > 0 && (
        <ol className={styles.acts} data-outdated={log.isPlaceholderData}>
          {acts.map((act) => (
            <li key={act.id} className={styles.act}>
              <ActLine act={act} />
            </li>
          ))}
        </ol>
      )}
      <MoreRows query={log} error="The audit log could not be loaded." />
    </Stack>
  )
}

function ActLine({ act }: { act: AuditEntry }) {
  const words = describeAct(act)
  return (
    <>
      <span className={styles.what}>
        <b>{act.actor ?? UNNAMED_ACTORS[act.actor_kind]}</b>{' '}
        {act.student_id ? (
          <WordsWithStudentLink
            id={act.student_id}
            name={act.student ?? act.subject ?? ''}
            words={words}
          />
        ) : (
          words
        )}
      </span>
      <time className={kit.note} dateTime={act.created_at}>
        {formatDateTime(act.created_at)}
      </time>
    </>
  )
}

type LinkProps = { id: string; name: string; words: string }

function WordsWithStudentLink({ id, name, words }: LinkProps) {
  const start = name ? words.indexOf(name) : -1
  if (start < 0) return words
  return (
    <>
      {words.slice(0, start)}
      <StudentLink id={id}>{name}</StudentLink>
      {words.slice(start + name.length)}
    </>
  )
}
