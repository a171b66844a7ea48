import { Button, Title } from '@mantine/core'
import {
  type StoredImport,
  importApi,
  type KeptReason,
  type UndoneImport,
} from '@tatami/contract/import/import'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { formatDateTime } from '../lib/dates.ts'
import { endpointQuery, refreshAll, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { ActionRow, ActionRows } from '../ui/action-rows.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import styles from './import-students.module.css'
import kit from '../ui/kit.module.css'

const KEPT_REASONS: Record<KeptReason, string> = {
  attendance: 'has attendance',
  payments: 'has payments',
  texts: 'has texts',
  log_in: 'has a login',
  changed: 'was changed after the import',
  in_use: 'is in use',
}

export function RecentImports() {
  const { data = [] } = useRetryingQuery(endpointQuery(importApi.list))
  const [undoneImport, setUndoneImport] = useState<UndoneImport | null>(null)
  if (data.length === 0 && !undoneImport) return null
  return (
    <section className={`${kit.card} ${styles.recent}`} aria-labelledby="recent-imports">
      <Title order={2} id="recent-imports">
        Recent imports
      </Title>
      {undoneImport && <UndoneNotice undoneImport={undoneImport} />}
      <ActionRows>
        {data.map((pastImport) => (
          <RecentImport key={pastImport.id} pastImport={pastImport} onUndone={setUndoneImport} />
        ))}
      </ActionRows>
    </section>
  )
}

type Props = { pastImport: StoredImport; onUndone: (undoneImport: UndoneImport) => void }

function RecentImport({ pastImport, onUndone }: Props) {
  const client = useQueryClient()
  const [isConfirming, setIsConfirming] = useState(false)
  const undo = useEndpointMutation(importApi.undo, {
    onSuccess: (undoneImport) => {
      setIsConfirming(false)
      onUndone(undoneImport)
      refreshAll(client)
    },
  })
  const summary = joinNonEmpty([
    pluralize(pastImport.students, 'new student'),
    pastImport.merged > 0 && `${pluralize(pastImport.merged, 'existing student')} updated`,
  ])
  const close = () => {
    setIsConfirming(false)
    undo.reset()
  }
  return (
    <>
      <ActionRow
        name={summary}
        details={[
          formatDateTime(pastImport.made_at),
          `Can be undone until ${formatDateTime(pastImport.undo_until)}`,
        ]}
        actions={
          <Button
            variant="default"
            aria-label={`Undo import of ${summary}`}
            onClick={() => setIsConfirming(true)}
          >
            Undo import
          </Button>
        }
        error={false}
      />
      <ConfirmDialog
        opened={isConfirming}
        title="Undo import"
        confirmLabel="Undo import"
        busyLabel="Undoing..."
        danger
        {...progressProps(undo, 'This could not be undone.')}
        onClose={close}
        onConfirm={() => undo.mutate({ params: { id: pastImport.id } })}
      >
        <p>{formatUndoQuestion(pastImport)}</p>
        {pastImport.students > 0 && pastImport.merged > 0 && (
          <p>The fields it filled in will be cleared.</p>
        )}
        <p>Anyone with attendance, payments, texts, a login or changes since then stays.</p>
      </ConfirmDialog>
    </>
  )
}

const LIST = new Intl.ListFormat('en')

function formatUndoQuestion({ students, guardians, classes }: StoredImport): string {
  const additions = [
    students > 0 && pluralize(students, 'student'),
    guardians > 0 && pluralize(guardians, 'guardian'),
    classes > 0 && pluralize(classes, 'class', 'classes'),
  ].filter((part) => part !== false)
  if (additions.length === 0) return 'Clear the fields that this import filled in?'
  return `Remove the ${LIST.format(additions)} that this import added?`
}

/** With more names, the list starts folded. */
const MAX_OPEN_NAMES = 5

const UndoneNotice = ({
  undoneImport: { students, merged, guardians, classes, kept },
}: {
  undoneImport: UndoneImport
}) => (
  <div role="status">
    <p className={kit.strong}>
      {joinNonEmpty(
        [
          `${pluralize(students, 'student')} removed`,
          merged > 0 && `${merged} restored`,
          guardians > 0 && `${pluralize(guardians, 'guardian')} removed`,
          classes > 0 && `${pluralize(classes, 'class', 'classes')} removed`,
        ],
        ' · ',
      )}
    </p>
    {kept.length > 0 && (
      <Disclosure
        startsOpen={kept.length <= MAX_OPEN_NAMES}
        summary={`Kept, because they’ve been used or changed since (${kept.length})`}
      >
        <ul className={styles.names}>
          {kept.map(({ kind, name, reason }, index) => (
            <li key={index}>
              {kind === 'student' ? name : `${name} (${kind})`} {KEPT_REASONS[reason]}
            </li>
          ))}
        </ul>
      </Disclosure>
    )}
  </div>
)
