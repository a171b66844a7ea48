import { NativeSelect, Stack } from '@mantine/core'
import {
  auditApi,
  type AuditKind,
  AUDIT_KINDS,
  type AuditEntry,
} from '@tatami/contract/audit/audit'
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
  log_ins: 'Log-ins and passwords',
  payments: 'Payments and prices',
  classes: 'Classes',
  belts: 'Belts',
  texts: 'Texts and announcements',
  settings: 'Settings',
  exports: 'Downloads',
}
const KINDS = ['all', ...AUDIT_KINDS] as const

/** Who did what in the dojo, newest first. */
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
        subtitle="Who did what in your dojo. Nobody can change or delete it."
      />
      <NativeSelect
        className={styles.filter}
        label="Show"
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as (typeof KINDS)[number])}
        data={[
          { value: 'all', label: 'Everything' },
          ...AUDIT_KINDS.map((one) => ({ value: one, label: LABELS[one] })),
        ]}
      />
      {!acts && !log.isError && (
        <Skeletons count={8} height={64} label="Loading the audit log..." />
      )}
      {acts?.length === 0 && (
        <EmptyState>
          {kind === 'all'
            ? 'Nothing has been done yet.'
            : 'Nothing of this kind has been done yet.'}
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
      <MoreRows of={log} failed="The audit log could not be loaded." />
    </Stack>
  )
}

function ActLine({ act }: { act: AuditEntry }) {
  const { who, what } = describeAct(act)
  return (
    <>
      <span className={styles.what}>
        <b>{who}</b>{' '}
        {act.student_id ? (
          <Linked id={act.student_id} name={nameOfStudent(act)} what={what} />
        ) : (
          what
        )}
      </span>
      <time className={kit.note} dateTime={act.created_at}>
        {formatDateTime(act.created_at)}
      </time>
    </>
  )
}

const nameOfStudent = ({ student, subject }: AuditEntry) => student ?? subject ?? ''

/** The words with the student's name as a link in them. */
function Linked({ id, name, what }: { id: string; name: string; what: string }) {
  const at = name ? what.indexOf(name) : -1
  if (at < 0) return what
  return (
    <>
      {what.slice(0, at)}
      <StudentLink id={id}>{name}</StudentLink>
      {what.slice(at + name.length)}
    </>
  )
}
