import { Button, NativeSelect, Stack, TextInput, Title } from '@mantine/core'
import { familiesApi } from '@tatami/contract/families'
import {
  type Guardian,
  type GuardianRights,
  type Guardianship,
  RELATIONS,
} from '@tatami/contract/guardians'
import { useRef, useState } from 'react'
import { errorMessage } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/query.ts'
import { firstName } from '@tatami/contract/name-parts'
import { capitalize } from '../../lib/text.ts'
import { ConfirmDialog } from '../../ui/message-dialogs.tsx'
import { StudentLink } from '../../ui/student-link.tsx'
import { SwitchRow } from '../../ui/switch-row.tsx'
import { adulthoodWords } from './adulthood-text.ts'
import styles from './guardian-dialog.module.css'
import { useRefreshFamilies } from './use-families.ts'
import kit from '../../ui/kit.module.css'

type Right = 'sees' | 'sees_fees' | 'gets_texts' | 'pays' | 'may_edit' | 'picks_up'

/** A guardian's rights in words, in the order in which one would ask for them. */
const rightsFor = (student: string): { right: Right; label: string; description: string }[] => [
  {
    right: 'sees',
    label: `Sees ${student}’s page`,
    description: 'Classes, attendance, belt and announcements',
  },
  { right: 'sees_fees', label: 'Sees what is paid and owed', description: `For ${student}` },
  {
    right: 'pays',
    label: `Pays for ${student}`,
    description: 'One person at most; texts about fees go to them',
  },
  {
    right: 'gets_texts',
    label: `Gets the texts about ${student}`,
    description: 'Classes, cancellations, announcements',
  },
  {
    right: 'may_edit',
    label: `Changes ${student}’s contacts`,
    description: 'Phone number and emergency contact',
  },
  {
    right: 'picks_up',
    label: `Picks ${student} up`,
    description: 'A note for you; nothing else depends on it',
  },
]

const RANKS = [
  { value: '', label: 'Not called' },
  { value: '1', label: 'First' },
  { value: '2', label: 'Second' },
  { value: '3', label: 'Third' },
]

type Props = {
  guardian: Guardian
  link: Guardianship
  /** What is typed as the note, which is kept by its own button. */
  note: string
  onNote: (note: string) => void
}

export const isNoteChanged = (typed: string, { note }: Guardianship) =>
  typed.trim() !== (note ?? '')

/** What could not be saved of a link, and why. */
type Failures = Partial<Record<keyof GuardianRights, string | undefined>>
const forEach = (body: object | undefined, failure: string | undefined): Failures =>
  Object.fromEntries(Object.keys(body ?? {}).map((right) => [right, failure]))

/** What a guardian is to one student, and may see and do; each change but the note is kept at once. */
export function GuardianLink({ guardian, link, note, onNote }: Props) {
  const refresh = useRefreshFamilies()
  const params = { id: guardian.id, studentId: link.student_id }
  // Of two quick changes the mutation knows the last alone; what became of each stands beside it.
  const [failures, setFailures] = useState<Failures>({})
  // One after the other: a switch that is disabled meanwhile would lose the focus.
  const save = useEndpointMutation(familiesApi.link, {
    scope: { id: `link ${guardian.id} ${link.student_id}` },
    onError: (error, { body }) =>
      setFailures((before) => ({
        ...before,
        ...forEach(body, errorMessage(error, 'This could not be saved.')),
      })),
    onSettled: refresh,
  })
  const [isEnding, setEnding] = useState(false)
  const first = firstName(link.student_name)
  // Until the list is read again after the last change, the switches show what was chosen.
  const [changes, setChosen] = useState<GuardianRights>({})
  const chosen = save.isPending ? changes : {}
  const change = (body: GuardianRights) => {
    setChosen((before) => (save.isPending ? { ...before, ...body } : body))
    setFailures((before) => ({ ...before, ...forEach(body, undefined) }))
    save.mutate({ params, body })
  }
  const noteField = useRef<HTMLInputElement>(null)
  const saveNote = () => {
    change({ note })
    // The pressed button goes.
    noteField.current?.focus()
  }
  return (
    <section className={styles.link} aria-label={link.student_name}>
      <Title order={3} size="h4">
        <StudentLink id={link.student_id}>{link.student_name}</StudentLink>
      </Title>
      <Stack gap="sm">
        <NativeSelect
          label={`Relation to ${first}`}
          value={chosen.relation ?? link.relation}
          data={RELATIONS.map((value) => ({ value, label: capitalize(value) }))}
          error={failures.relation}
          onChange={(event) =>
            change({ relation: event.currentTarget.value as Guardianship['relation'] })
          }
        />
        {rightsFor(first).map(({ right, label, description }) => (
          <SwitchRow
            key={right}
            label={label}
            description={description}
            checked={chosen[right] ?? link[right]}
            error={failures[right] ?? false}
            onChange={(isOn) => change({ [right]: isOn })}
          />
        ))}
        <NativeSelect
          label="In an emergency"
          value={String(chosen.emergency_rank ?? link.emergency_rank ?? '')}
          data={RANKS}
          error={failures.emergency_rank}
          onChange={(event) =>
            change({
              emergency_rank: event.currentTarget.value ? Number(event.currentTarget.value) : null,
            })
          }
        />
        <p className={kit.note}>{adulthoodWords(link)}</p>
        <div className={styles.note}>
          <TextInput
            ref={noteField}
            label="Note"
            description="Only instructors see it; a court order, for instance"
            value={note}
            maxLength={1000}
            autoComplete="off"
            error={failures.note}
            onChange={(event) => onNote(event.currentTarget.value)}
          />
          {isNoteChanged(note, link) && (
            <Button variant="light" onClick={saveNote}>
              Save note
            </Button>
          )}
        </div>
        <div>
          <Button variant="subtle" color="red" onClick={() => setEnding(true)}>
            End the link to {first}
          </Button>
        </div>
      </Stack>
      {isEnding && (
        <EndLinkDialog guardian={guardian} link={link} onClose={() => setEnding(false)} />
      )}
    </section>
  )
}

function EndLinkDialog({
  guardian,
  link,
  onClose,
}: {
  guardian: Guardian
  link: Guardianship
  onClose: () => void
}) {
  const refresh = useRefreshFamilies()
  const end = useEndpointMutation(familiesApi.unlink, {
    onSuccess: () => {
      void refresh()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => end.mutate({ params: { id: guardian.id, studentId: link.student_id } })}
      title={`End the link to ${link.student_name}?`}
      confirm="End the link"
      busy={end.isPending}
      busyLabel="Ending..."
      danger
      error={end.isError ? errorMessage(end.error, 'This could not be saved.') : null}
    >
      {guardian.name} no longer sees {link.student_name}, gets no texts about them and does not pay
      for them. Nothing else changes, and you can link them again.
    </ConfirmDialog>
  )
}
