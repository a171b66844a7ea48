import { Button, NativeSelect, Stack, TextInput, Title } from '@mantine/core'
import { familiesApi } from '@tatami/contract/families/families'
import { type Guardian, type Guardianship, RELATIONS } from '@tatami/contract/guardians/guardians'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { firstName } from '@tatami/contract/lib/name-parts'
import { capitalize } from '../lib/text.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import { describeAdulthood } from './adulthood-text.ts'
import styles from './guardian-dialog.module.css'
import {
  EndedAgreement,
  endsAgreement,
  isAccessRight,
  LostNotices,
  noticesQuery,
  RightRemovalDialog,
  useRightRemoval,
} from './right-removal.tsx'
import { findChoice } from './find-choice.ts'
import { useRefreshFamilies } from './use-families.ts'
import { useLinkChanges } from './use-link-changes.ts'
import kit from '../ui/kit.module.css'

type Right = 'sees' | 'sees_fees' | 'gets_texts' | 'pays' | 'may_edit' | 'picks_up'

const listRights = (student: string): { right: Right; label: string; description: string }[] => [
  {
    right: 'sees',
    label: `Sees ${student}’s page`,
    description: 'Classes, attendance, belt and announcements',
  },
  { right: 'sees_fees', label: 'Sees what is paid and owed', description: `For ${student}` },
  {
    right: 'pays',
    label: `Pays for ${student}`,
    description: 'Only one person can pay. They get texts about fees',
  },
  {
    right: 'gets_texts',
    label: `Gets texts about ${student}`,
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
    description: 'Only a note for you',
  },
]

const EMERGENCY_RANKS = [
  { value: '', label: 'Don’t call' },
  { value: '1', label: 'First' },
  { value: '2', label: 'Second' },
  { value: '3', label: 'Third' },
]

type Props = {
  guardian: Guardian
  link: Guardianship
  note: string
  onNoteChange: (note: string) => void
}

export const isNoteChanged = (newNote: string, { note }: Guardianship) =>
  newNote.trim() !== (note ?? '')

export function GuardianLink({ guardian, link, note, onNoteChange }: Props) {
  const changes = useLinkChanges(guardian, link)
  const { latestLink, failures, change } = changes
  const [isEndDialogOpen, setEndDialogOpen] = useState(false)
  const studentName = firstName(link.student_name)
  return (
    <section className={`${kit.stackSmall} ${styles.link}`} aria-label={link.student_name}>
      <Title order={3} size="h4">
        <StudentLink id={link.student_id}>{link.student_name}</StudentLink>
      </Title>
      <Stack gap="sm">
        <NativeSelect
          label={`Relation to ${studentName}`}
          value={latestLink.relation}
          data={RELATIONS.map((value) => ({ value, label: capitalize(value) }))}
          error={failures.relation}
          onChange={(event) =>
            change({ relation: findChoice(RELATIONS, event.currentTarget.value) })
          }
        />
        <RightSwitches guardian={guardian} link={link} changes={changes} />
        <NativeSelect
          label="In an emergency"
          value={String(latestLink.emergency_rank ?? '')}
          data={EMERGENCY_RANKS}
          error={failures.emergency_rank}
          onChange={(event) =>
            change({
              emergency_rank: event.currentTarget.value ? Number(event.currentTarget.value) : null,
            })
          }
        />
        <p className={kit.note}>{describeAdulthood(link)}</p>
        <LinkNote
          note={note}
          isChanged={isNoteChanged(note, link)}
          error={failures.note}
          onNoteChange={onNoteChange}
          onSave={() => change({ note })}
        />
        <div>
          <Button variant="subtle" color="red" onClick={() => setEndDialogOpen(true)}>
            Remove link to {studentName}
          </Button>
        </div>
      </Stack>
      {isEndDialogOpen && (
        <EndLinkDialog guardian={guardian} link={link} onClose={() => setEndDialogOpen(false)} />
      )}
    </section>
  )
}

type SwitchesProps = {
  guardian: Guardian
  link: Guardianship
  changes: ReturnType<typeof useLinkChanges>
}

function RightSwitches({ guardian, link, changes }: SwitchesProps) {
  const { latestLink, failures, change, showFailure } = changes
  const rightRemoval = useRightRemoval({
    guardian,
    link,
    onRemove: (right) => change({ [right]: false }),
    onError: (right, error) => showFailure({ [right]: false }, error),
  })
  const switchRight = (right: Right, isOn: boolean) => {
    if (!isOn && isAccessRight(right)) void rightRemoval.requestRemoval(right)
    else change({ [right]: isOn })
  }
  return (
    <>
      {listRights(firstName(link.student_name)).map(({ right, label, description }) => (
        <SwitchRow
          key={right}
          label={label}
          description={description}
          checked={latestLink[right] && !rightRemoval.isRemovalPending(right)}
          error={failures[right] ?? false}
          onChange={(isOn) => switchRight(right, isOn)}
        />
      ))}
      {rightRemoval.removal && (
        <RightRemovalDialog
          guardian={guardian}
          link={link}
          removal={rightRemoval.removal}
          onCancel={rightRemoval.cancel}
          onConfirm={rightRemoval.confirm}
        />
      )}
    </>
  )
}

type NoteProps = {
  note: string
  isChanged: boolean
  error: string | undefined
  onNoteChange: (note: string) => void
  onSave: () => void
}

function LinkNote({ note, isChanged, error, onNoteChange, onSave }: NoteProps) {
  const noteField = useRef<HTMLInputElement>(null)
  const save = () => {
    onSave()
    noteField.current?.focus()
  }
  return (
    <div className={`${kit.wrap} ${styles.note}`}>
      <TextInput
        ref={noteField}
        label="Note"
        description="Only instructors see it. For example, a court order"
        value={note}
        maxLength={1000}
        autoComplete="off"
        error={error}
        onChange={(event) => onNoteChange(event.currentTarget.value)}
      />
      {isChanged && (
        <Button variant="light" onClick={save}>
          Save note
        </Button>
      )}
    </div>
  )
}

type EndLinkDialogProps = { guardian: Guardian; link: Guardianship; onClose: () => void }

function EndLinkDialog({ guardian, link, onClose }: EndLinkDialogProps) {
  const refresh = useRefreshFamilies()
  const { data } = useQuery({ ...noticesQuery(guardian, link), staleTime: 0 })
  const unlink = useEndpointMutation(familiesApi.unlink, {
    onSuccess: () => {
      void refresh()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => unlink.mutate({ params: { id: guardian.id, studentId: link.student_id } })}
      title={`Remove the link to ${link.student_name}?`}
      confirmLabel="Remove link"
      busyLabel="Removing..."
      danger
      {...progressProps(unlink, 'This could not be saved. Please try again.')}
    >
      {guardian.name} will no longer see, get texts about or pay for {link.student_name}.{' '}
      <LostNotices count={data?.total ?? 0} />
      {endsAgreement('sees', link) && <EndedAgreement student={firstName(link.student_name)} />} You
      can link them again later.
    </ConfirmDialog>
  )
}
