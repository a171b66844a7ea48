import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { StudentPage } from '@tatami/contract/students/students'
import { useState } from 'react'
import { formatInstantDate } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { NOTES_DRAFT } from '../lib/student-drafts.ts'
import styles from './student-notes.module.css'
import kit from '../ui/kit.module.css'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'

const NotesDialog = lazyComponent(() => import('./notes-dialog.tsx'), 'NotesDialog')

const FIELDS = [
  { field: 'allergies', label: 'Allergies', right: 'medical' },
  { field: 'medical_note', label: 'Medical note', right: 'medical' },
  { field: 'private_notes', label: 'Private notes', right: 'notes' },
] as const

export function StudentNotes({ page }: { page: StudentPage }) {
  const [isEditing, setEditing] = useState(() => drafts.subjectOf(NOTES_DRAFT) === page.student.id)
  const can = useCan()
  const { notes_changed_at, notes_changed_by } = page
  return (
    <div className={kit.stackSmall}>
      <dl className={`${kit.stackSmall} ${styles.facts}`}>
        {FIELDS.filter(({ right }) => can(right)).map(({ field, label }) => (
          <div key={field}>
            <dt>{label}</dt>
            <dd data-empty={page[field] === null}>{page[field] ?? 'None'}</dd>
          </div>
        ))}
      </dl>
      <p className={kit.note}>
        Only instructors see these notes.
        {notes_changed_at &&
          ` Changed ${joinNonEmpty([formatInstantDate(notes_changed_at), notes_changed_by], ' by ')}.`}
      </p>
      <WithRight right={['medical', 'notes']}>
        <div>
          <Button
            variant="default"
            leftSection={<IconPencil size={20} aria-hidden />}
            onClick={() => setEditing(true)}
            {...NotesDialog.preloadOnHover}
          >
            Edit notes
          </Button>
        </div>
      </WithRight>
      {isEditing && <NotesDialog page={page} onClose={() => setEditing(false)} />}
    </div>
  )
}
