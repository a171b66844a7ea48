import { Button, Checkbox, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { bornBy, type Student, studentsApi, studentUpdate } from '@tatami/contract/students'
import { useState } from 'react'
import { explain } from '../lib/api.ts'
import { counted } from '../lib/counted.ts'
import { today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/use-draft.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FormNotice } from '../ui/form-notice.tsx'
import { MessageDialog } from '../ui/message-dialog.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import styles from './edit-student-dialog.module.css'
import { StudentFields } from './student-fields.tsx'
import { formOf, toUpdate } from './student-form.ts'

/** The student as they are; then the news that they were changed, or the question whether to delete them. */
export function EditStudentDialog({ student, onClose }: { student: Student; onClose: () => void }) {
  const [isAsking, ask] = useState(false)
  const [updated, setUpdated] = useState<Student | null>(null)
  const removal = useStudentRemoval(student)
  const askToDelete = () => {
    removal.reset()
    ask(true)
  }
  if (updated) return <StudentUpdatedDialog name={updated.name} onClose={onClose} />
  return (
    <>
      <EditStudentForm student={student} isDeleting={removal.isPending} onClose={onClose} onUpdated={setUpdated} onDelete={askToDelete} />
      {isAsking && (
        <DeleteStudentDialog student={student} removal={removal} onClose={() => ask(false)} onConfirm={() => removal.remove(onClose)} />
      )}
    </>
  )
}

const UPDATE_FAILED = 'Failed to update student. Please try again.'

type EditFormProps = {
  student: Student
  isDeleting: boolean
  onClose: () => void
  onUpdated: (student: Student) => void
  onDelete: () => void
}

function EditStudentForm({ student, isDeleting, onClose, onUpdated, onDelete }: EditFormProps) {
  const cache = useQueryClient()
  const before = formOf(student)
  const form = useSchemaForm(bornBy(today(), studentUpdate), before, toUpdate)
  useDraft('edit-student', form, student.id)
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.update, { onSettled: () => void cache.invalidateQueries() })
  const onError = (refusal: Error) => {
    form.showRefusal(refusal)
    // The specification wants the browser's own alert (section 8); why it failed stands in the form.
    alert(UPDATE_FAILED)
  }
  const onSuccess = (reply: { student: Student }) => onUpdated(reply.student)
  const save = form.send((body) => isPending || mutate({ params: { id: student.id }, body }, { onSuccess, onError }))
  const ticked = (name: 'on_vacation' | 'app_returned') => form.getInputProps(name, { type: 'checkbox' })
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Edit Student"
      size="large"
      onSubmit={save}
      busy={isPending}
      unsent={form.isDirty()}
      locked={isDeleting}
      actions={
        <>
          <FormNotice>{error && explain(error, UPDATE_FAILED)}</FormNotice>
          <CancelButton />
          <BusyButton type="submit" busy={isPending} busyLabel="Saving...">
            Save Changes
          </BusyButton>
        </>
      }
    >
      <StudentFields
        form={form}
        classesBefore={before.class_preferences}
        vacation={
          <Checkbox size="md" label="On Vacation" description="Stays enrolled, gets no messages, owes no fee" {...ticked('on_vacation')} />
        }
        payment={
          <>
            <TextInput label="Payment method" autoComplete="off" {...form.getInputProps('payment_method')} />
            <Checkbox size="md" label="Application returned" {...ticked('app_returned')} />
          </>
        }
      />
      <div className={styles.end}>
        <Button variant="light" color="red" leftSection={<IconTrash size={18} aria-hidden />} disabled={isPending} onClick={onDelete}>
          Delete Student
        </Button>
      </div>
    </Sheet>
  )
}

const StudentUpdatedDialog = ({ name, onClose }: { name: string; onClose: () => void }) => (
  <MessageDialog title="Student Profile Updated!" role="alertdialog" button="OK" onClose={onClose}>
    <Text>The profile of {name} was successfully updated.</Text>
  </MessageDialog>
)

type DeleteDialogProps = { student: Student; removal: StudentRemoval; onClose: () => void; onConfirm: () => void }

/** Names what is lost, counted, before it is lost. */
function DeleteStudentDialog({ student, removal: { isPending, failure }, onClose, onConfirm }: DeleteDialogProps) {
  // Not counted again once they are gone.
  const { data: impact } = useQuery({ ...endpointQuery(studentsApi.deletionImpact, { params: { id: student.id } }), enabled: !isPending })
  const counts = impact ? [counted(impact.attendance_records, 'attendance record'), counted(impact.payment_records, 'payment')] : []
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={onConfirm}
      title={`Delete ${student.name}?`}
      confirm="Delete Student"
      busy={isPending}
      busyLabel="Deleting..."
      danger
      error={failure}
    >
      <Text fw={600} mb="sm" style={{ textWrap: 'balance' }}>
        {[student.name, ...counts].join(', ')}
      </Text>
      <Text>The profile, attendance records, payment history and all associated data are removed permanently. This cannot be undone.</Text>
    </ConfirmDialog>
  )
}

const DELETE_FAILED = 'Failed to delete student. Please try again.'

type StudentRemoval = ReturnType<typeof useStudentRemoval>

/** Deletes a student with everything of theirs. A failure is said by the browser, too (specification, section 8). */
function useStudentRemoval({ id }: Student) {
  const cache = useQueryClient()
  const { mutate, isPending, error, reset } = useEndpointMutation(studentsApi.remove, { onSuccess: () => void cache.invalidateQueries() })
  return {
    isPending,
    failure: error && explain(error, DELETE_FAILED),
    remove: (onSuccess: () => void) => mutate({ params: { id } }, { onSuccess, onError: () => alert(DELETE_FAILED) }),
    reset,
  }
}
