import { Button, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { familiesApi } from '@tatami/contract/families/families'
import {
  type Guardian,
  type Guardianship,
  guardianUpdate,
  newGuardian,
} from '@tatami/contract/guardians/guardians'
import type { Student } from '@tatami/contract/students/students'
import { useEffect, useState } from 'react'
import { failureMessage, progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { focusOnMount } from '../lib/modal.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentPicker } from '../ui/student-picker.tsx'
import { GUARDIAN_DRAFT, GUARDIAN_NOTES_DRAFT, NEW_GUARDIAN_DRAFT } from './family-drafts.ts'
import styles from './guardian-dialog.module.css'
import { GuardianFields } from './guardian-fields.tsx'
import { GuardianLink, isNoteChanged } from './guardian-link.tsx'
import { InviteGuardian } from './invite-guardian.tsx'
import { useGuardian, useRefreshFamilies } from './use-families.ts'

type Props = { guardianId: string; onClose: () => void }

export function GuardianDialog({ guardianId, onClose }: Props) {
  const { guardian, data, isUnavailable, retry } = useGuardian(guardianId)
  const [hasUnsavedContact, setHasUnsavedContact] = useState(false)
  const [notes, setNotes] = useState<Record<string, string>>({})
  const getNote = ({ student_id, note }: Guardianship) => notes[student_id] ?? note ?? ''
  const hasUnsavedNote =
    guardian?.students.some((link) => isNoteChanged(getNote(link), link)) ?? false
  useDraft(
    GUARDIAN_NOTES_DRAFT,
    { values: notes, isDirty: () => hasUnsavedNote, setValues: setNotes },
    guardianId,
  )
  return (
    <Sheet
      opened
      onClose={onClose}
      title={guardian?.name ?? 'Guardian'}
      isDirty={guardian !== undefined && (hasUnsavedContact || hasUnsavedNote)}
      actions={<CancelButton>Done</CancelButton>}
    >
      {isUnavailable && (
        <ErrorNotice onRetry={retry}>The guardian could not be loaded.</ErrorNotice>
      )}
      {!data && !isUnavailable && <Skeletons label="Loading" />}
      {data && !guardian && <Text>This guardian has been deleted.</Text>}
      {guardian && (
        <Stack gap="lg">
          <ContactForm key={guardian.id} guardian={guardian} onDirtyChange={setHasUnsavedContact} />
          <InviteGuardian guardian={guardian} hasUnsavedContact={hasUnsavedContact} />
          {guardian.students.map((link) => (
            <GuardianLink
              key={link.student_id}
              guardian={guardian}
              link={link}
              note={getNote(link)}
              onNoteChange={(note) =>
                setNotes((previousNotes) => ({ ...previousNotes, [link.student_id]: note }))
              }
            />
          ))}
          <LinkStudent guardian={guardian} />
          <DeleteGuardian guardian={guardian} onDeleted={onClose} />
        </Stack>
      )}
    </Sheet>
  )
}

const toContactValues = ({ name, phone, email }: Guardian) => ({
  name,
  phone: phone ?? '',
  email: email ?? '',
})

type ContactFormProps = { guardian: Guardian; onDirtyChange: (isDirty: boolean) => void }

function ContactForm({ guardian, onDirtyChange }: ContactFormProps) {
  const refresh = useRefreshFamilies()
  const form = useSchemaForm(guardianUpdate, toContactValues(guardian))
  useDraft(GUARDIAN_DRAFT, form, guardian.id)
  const isDirty = form.isDirty()
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange])
  const save = useEndpointMutation(familiesApi.updateGuardian, {
    onSuccess: (reply) => {
      form.setInitialValues(toContactValues(reply.guardian))
      form.setValues(toContactValues(reply.guardian))
      void refresh()
    },
    onError: form.showRefusal,
  })
  return (
    <form
      noValidate
      onSubmit={form.send(
        (body) => save.isPending || save.mutate({ params: { id: guardian.id }, body }),
      )}
    >
      <Stack gap="sm">
        <GuardianFields getInputProps={form.getInputProps} hasLogin={guardian.has_log_in} />
        <ErrorNotice>
          {failureMessage(save, 'This could not be saved. Please try again.')}
        </ErrorNotice>
        <div>
          <BusyButton
            type="submit"
            variant="light"
            disabled={!isDirty}
            busy={save.isPending}
            busyLabel="Saving..."
          >
            Save contact
          </BusyButton>
        </div>
      </Stack>
    </form>
  )
}

function LinkStudent({ guardian }: { guardian: Guardian }) {
  const refresh = useRefreshFamilies()
  const [selectedStudent, setSelectedStudent] = useState<Student | null>(null)
  const link = useEndpointMutation(familiesApi.link, {
    onSuccess: () => {
      setSelectedStudent(null)
      void refresh()
    },
  })
  const isExcluded = ({ id }: Student) =>
    id === guardian.id || guardian.students.some(({ student_id }) => student_id === id)
  return (
    <div className={styles.newLink}>
      <StudentPicker
        label="Link another student"
        actionLabel="Select"
        onPick={setSelectedStudent}
        isExcluded={isExcluded}
      />
      {selectedStudent && (
        <BusyButton
          variant="light"
          ref={focusOnMount}
          busy={link.isPending}
          busyLabel="Linking..."
          onClick={() =>
            link.mutate({ params: { id: guardian.id, studentId: selectedStudent.id }, body: {} })
          }
        >
          Link {selectedStudent.name}
        </BusyButton>
      )}
      <ErrorNotice>
        {failureMessage(link, 'This could not be saved. Please try again.')}
      </ErrorNotice>
    </div>
  )
}

type DeleteProps = { guardian: Guardian; onDeleted: () => void }

function DeleteGuardian({ guardian, onDeleted }: DeleteProps) {
  const [isConfirming, setConfirming] = useState(false)
  const refresh = useRefreshFamilies()
  const deleteGuardian = useEndpointMutation(familiesApi.removeGuardian, {
    onSuccess: () => {
      void refresh()
      onDeleted()
    },
  })
  return (
    <div>
      <Button
        variant="subtle"
        color="red"
        ml="-md"
        leftSection={<IconTrash size={18} aria-hidden />}
        onClick={() => {
          deleteGuardian.reset()
          setConfirming(true)
        }}
      >
        Delete guardian
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => deleteGuardian.mutate({ params: { id: guardian.id } })}
        title={`Delete ${guardian.name}?`}
        confirmLabel="Delete guardian"
        busyLabel="Deleting..."
        danger
        {...progressProps(deleteGuardian, 'The guardian could not be deleted. Please try again.')}
      >
        <Text>{describeDeletion(guardian)}</Text>
      </ConfirmDialog>
    </div>
  )
}

function describeDeletion({ students, has_log_in, is_student, is_instructor }: Guardian): string {
  const needsLogin = is_student || is_instructor
  const login = has_log_in && !needsLogin ? ' and the login' : ''
  return joinNonEmpty(
    [
      `This removes ${pluralize(students.length, 'link')} to students${login}.`,
      'The students stay.',
      has_log_in && needsLogin && 'The login stays, because they are also a student or instructor.',
      'This cannot be undone.',
    ],
    ' ',
  )
}

type NewGuardianProps = {
  studentIds: string[]
  onClose: () => void
  onCreated: (id: string) => void
}

export function NewGuardianDialog({ studentIds, onClose, onCreated }: NewGuardianProps) {
  const refresh = useRefreshFamilies()
  const form = useSchemaForm(newGuardian, { name: '', phone: '', email: '' }, (values) => ({
    ...values,
    students: studentIds.map((student_id) => ({ student_id })),
  }))
  useDraft(NEW_GUARDIAN_DRAFT, form)
  const create = useEndpointMutation(familiesApi.createGuardian, {
    onSuccess: ({ guardian }) => {
      void refresh()
      onCreated(guardian.id)
    },
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      onClose={onClose}
      title="New guardian"
      onSubmit={form.send((body) => create.isPending || create.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(create, 'The guardian could not be added. Please try again.')}
      submitLabel="Add guardian"
      busyLabel="Adding..."
      gap="sm"
    >
      <GuardianFields getInputProps={form.getInputProps} />
    </FormDialog>
  )
}
