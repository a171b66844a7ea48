import { Textarea } from '@mantine/core'
import { studentNotes } from '@tatami/contract/students/student-page'
import { studentsApi, type StudentPage } from '@tatami/contract/students/students'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { NOTES_DRAFT } from '../lib/student-drafts.ts'

type Props = { page: StudentPage; onClose: () => void }

export function NotesDialog({
  page: { student, allergies, medical_note, private_notes },
  onClose,
}: Props) {
  const form = useSchemaForm(studentNotes, {
    allergies: allergies ?? '',
    medical_note: medical_note ?? '',
    private_notes: private_notes ?? '',
  })
  useDraft(NOTES_DRAFT, form, student.id)
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.setNotes, {
    refreshes: [studentsApi.show, studentsApi.list],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Notes on ${student.name}`}
      onSubmit={form.send((body) => isPending || mutate({ params: { id: student.id }, body }))}
      isDirty={form.isDirty()}
      {...progressProps({ isPending, error }, 'The notes could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <Textarea
        label="Allergies"
        description="Shown during attendance"
        autosize
        minRows={1}
        {...form.getInputProps('allergies')}
      />
      <Textarea
        label="Medical note"
        description="Shown during attendance"
        autosize
        minRows={2}
        {...form.getInputProps('medical_note')}
      />
      <Textarea
        label="Private notes"
        description="Only for instructors, and only on this page"
        autosize
        minRows={3}
        {...form.getInputProps('private_notes')}
      />
    </FormDialog>
  )
}
