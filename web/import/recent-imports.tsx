import { Title } from '@mantine/core'
import {
  type DoneImport,
  importApi,
  type KeptReason,
  type UndoneImport,
} from '@tatami/contract/import'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { formatDateTime } from '../lib/dates.ts'
import { endpointQuery, refreshAll, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { ActionRow, ActionRows } from '../students/action-rows.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import styles from './import-students.module.css'
import kit from '../ui/kit.module.css'

const REASONS: Record<KeptReason, string> = {
  attendance: 'has attendance',
  payments: 'has payments',
  texts: 'has texts',
  log_in: 'has a log-in',
  changed: 'was changed since',
  in_use: 'is in use',
}

/** The imports that can still be undone; and what became of one that was. */
export function RecentImports() {
  const { data = [] } = useRetryingQuery(endpointQuery(importApi.list))
  const [undone, setUndone] = useState<UndoneImport | null>(null)
  if (data.length === 0 && !undone) return null
  return (
    <section className={`${kit.card} ${styles.recent}`} aria-labelledby="recent-imports">
      <Title order={2} id="recent-imports">
        Imports of the last day
      </Title>
      {undone && <UndoneNotice undone={undone} />}
      <ActionRows>
        {data.map((done) => (
          <RecentImport key={done.id} done={done} onUndone={setUndone} />
        ))}
      </ActionRows>
    </section>
  )
}

function RecentImport({
  done,
  onUndone,
}: {
  done: DoneImport
  onUndone: (undone: UndoneImport) => void
}) {
  const client = useQueryClient()
  const undo = useEndpointMutation(importApi.undo, {
    onSuccess: (undone) => {
      onUndone(undone)
      refreshAll(client)
    },
  })
  const what = [
    pluralize(done.students, 'new student'),
    done.merged > 0 && `${done.merged} filled in`,
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <ActionRow
      name={what}
      about={[
        `${formatDateTime(done.made_at)} · can be undone until ${formatDateTime(done.undo_until)}`,
      ]}
      actions={
        <BusyButton
          variant="default"
          aria-label={`Undo import of ${what}`}
          busy={undo.isPending}
          busyLabel="Undoing..."
          onClick={() => undo.mutate({ params: { id: done.id } })}
        >
          Undo import
        </BusyButton>
      }
      error={undo.isError && errorMessage(undo.error, 'This could not be undone.')}
    />
  )
}

const UndoneNotice = ({
  undone: { students, merged, guardians, classes, kept },
}: {
  undone: UndoneImport
}) => (
  <div role="status">
    <p className={styles.facts}>
      {[
        `${pluralize(students, 'student')} removed`,
        merged > 0 && `${merged} as before`,
        guardians > 0 && `${pluralize(guardians, 'guardian')} removed`,
        classes > 0 && (classes === 1 ? '1 class removed' : `${classes} classes removed`),
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
    {kept.length > 0 && (
      <Disclosure startsOpen={kept.length <= 5} summary={`${kept.length} stay as they are by now`}>
        <ul className={styles.kept}>
          {kept.map(({ kind, name, reason }, index) => (
            <li
              key={index}
            >{`${kind === 'student' ? name : `${name} (${kind})`} ${REASONS[reason]}`}</li>
          ))}
        </ul>
      </Disclosure>
    )}
  </div>
)
