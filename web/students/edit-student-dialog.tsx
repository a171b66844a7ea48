import { formatMoney } from '@tatami/contract/lib/money'
import { Box, Button, Checkbox, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import {
  mayLackPhone,
  withLatestBirthDate,
  studentUpdateOf,
} from '@tatami/contract/students/student-form'
import { useState } from 'react'
import { errorMessage, progressOf } from '../lib/api.ts'
import { pluralize } from '../lib/text.ts'
import { today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/drafts.ts'
import { ConfirmDialog, MessageDialog } from '../ui/message-dialogs.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import kit from '../ui/kit.module.css'
import { EDIT_DRAFT } from '../lib/student-drafts.ts'
import { isStoredStudent } from './stored-student.ts'
import { FeeStartChoice } from './fee-start-choice.tsx'
import { StudentFields } from './student-fields.tsx'
import { isFeeRaised, studentToForm, toUpdateBody } from './student-form.ts'

type Props = {
  student: Student
  onClose: () => void
  /** Called instead of `onClose` once the student is deleted. */
  onDeleted?: () => void
}

/** The form, then the message that the student was updated or the question whether to delete them. */
export function EditStudentDialog({ student, onClose, onDeleted = onClose }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  // What the form would lack, saving would clear.
  const [needsNetwork] = useState(() => isStoredStudent(student))
  const [updatedStudent, setUpdated] = useState<Student | null>(null)
  const deletion = useDeleteStudent(student)
  const confirmDeletion = () => {
    deletion.reset()
    setConfirming(true)
  }
  if (needsNetwork)
    return (
      <MessageDialog title="Edit Student" button="OK" onClose={onClose}>
        <Text>
          You’re offline, and this device doesn’t have all of {student.name}’s details. Try again
          when you’re online.
        </Text>
      </MessageDialog>
    )
  if (updatedStudent) return <StudentUpdatedDialog name={updatedStudent.name} onClose={onClose} />
  return (
    <>
      <EditStudentForm
        student={student}
        isDeleting={deletion.isPending}
        onClose={onClose}
        onUpdated={setUpdated}
        onDelete={confirmDeletion}
      />
      {isConfirming && (
        <DeleteStudentDialog
          student={student}
          deletion={deletion}
          onClose={() => setConfirming(false)}
          onConfirm={(guardians) => deletion.start(guardians, onDeleted)}
        />
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
  const initialValues = studentToForm(student)
  const form = useSchemaForm(
    withLatestBirthDate(today(), studentUpdateOf(student, today())),
    initialValues,
    (values) => toUpdateBody(values, student),
  )
  useDraft(EDIT_DRAFT, form, student.id)
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.update, {
    onSettled: () => refreshAll(cache),
  })
  const onError = (refusal: Error) => {
    form.showRefusal(refusal)
    // The specification asks for the browser's alert (section 8); the reason is shown in the form.
    alert(UPDATE_FAILED)
  }
  const onSuccess = (reply: { student: Student }) => onUpdated(reply.student)
  const save = form.send(
    (body) => isPending || mutate({ params: { id: student.id }, body }, { onSuccess, onError }),
  )
  const checkbox = (name: 'on_vacation' | 'app_returned' | 'sibling_exempt') =>
    form.getInputProps(name, { type: 'checkbox' })
  return (
    <FormDialog
      onClose={onClose}
      title="Edit Student"
      size="large"
      onSubmit={save}
      unsent={form.isDirty()}
      locked={isDeleting}
      {...progressOf({ isPending, error }, UPDATE_FAILED)}
      submit="Save Changes"
      submitting="Saving..."
      gap={0}
    >
      <StudentFields
        form={form}
        initialClasses={initialValues.class_preferences}
        mayLackPhone={mayLackPhone(student, today())}
        vacation={
          <Checkbox
            size="md"
            label="On Vacation"
            description="Stays enrolled, gets no group messages, owes no fee"
            {...checkbox('on_vacation')}
          />
        }
        payment={
          <>
            {isFeeRaised(form.values, student) && (
              <FeeStartChoice
                student={student}
                value={form.values.fee_from}
                onChange={(start) => form.setFieldValue('fee_from', start)}
              />
            )}
            <TextInput
              label="Payment method"
              autoComplete="off"
              {...form.getInputProps('payment_method')}
            />
            <TextInput
              label="Price note"
              description="Why the fee is what it is. Only instructors see this"
              autoComplete="off"
              {...form.getInputProps('price_note')}
            />
            <Checkbox
              size="md"
              label="No sibling price"
              description="Pays the full fee and doesn’t count for siblings"
              {...checkbox('sibling_exempt')}
            />
            <Checkbox size="md" label="Application returned" {...checkbox('app_returned')} />
          </>
        }
      />
      <Box mt="xl" className={kit.divided}>
        <Button
          variant="light"
          color="red"
          leftSection={<IconTrash size={18} aria-hidden />}
          disabled={isPending}
          onClick={onDelete}
        >
          Delete Student
        </Button>
      </Box>
    </FormDialog>
  )
}

const StudentUpdatedDialog = ({ name, onClose }: { name: string; onClose: () => void }) => (
  <MessageDialog title="Student Profile Updated!" role="alertdialog" button="OK" onClose={onClose}>
    <Text>The profile of {name} was successfully updated.</Text>
  </MessageDialog>
)

/** What becomes of guardians whom nothing but this student keeps in the dojo. */
type GuardianChoice = 'keep' | 'delete'
type DeleteDialogProps = {
  student: Student
  deletion: StudentDeletion
  onClose: () => void
  onConfirm: (guardians: GuardianChoice) => void
}

/** Counts what the deletion takes away before it happens. */
function DeleteStudentDialog({
  student,
  deletion: { isPending, isDeleted, failure },
  onClose,
  onConfirm,
}: DeleteDialogProps) {
  // A student who is deleted has nothing left to count.
  const { data: impact } = useQuery({
    ...endpointQuery(studentsApi.deletionImpact, { params: { id: student.id } }),
    enabled: !isPending && !isDeleted,
  })
  const [deletesGuardians, setDeletesGuardians] = useState(false)
  const guardians = impact?.guardians ?? []
  const counts = impact
    ? [
        pluralize(impact.attendance_records, 'attendance record'),
        pluralize(impact.payment_records, 'payment'),
      ]
    : []
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => onConfirm(deletesGuardians && guardians.length > 0 ? 'delete' : 'keep')}
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
      <Text>
        The profile, attendance records, payment history and all associated data are removed
        permanently. This cannot be undone.
      </Text>
      {impact && (
        <Text mt="sm" c="dimmed">
          {booksAfterDeletion(impact)}
        </Text>
      )}
      {guardians.length > 0 && (
        <Checkbox
          mt="md"
          size="md"
          checked={deletesGuardians}
          onChange={(event) => setDeletesGuardians(event.currentTarget.checked)}
          label={`Delete ${new Intl.ListFormat('en').format(guardians.map(({ name }) => name))}, too`}
          description={`${guardians.length === 1 ? 'This guardian has' : 'These guardians have'} no other student here; a log-in of theirs goes with them.`}
        />
      )}
    </ConfirmDialog>
  )
}

/** What becomes of the student's part of the school's books. */
function booksAfterDeletion({ owed, credit }: { owed: number; credit: number }): string {
  const sentences = ['Your totals and cash counts stay the same, without the name.']
  if (owed > 0) sentences.push(`${formatMoney(owed)} still owed will be written off.`)
  if (credit > 0)
    sentences.push(`${formatMoney(credit)} credit stays with you: to return it, refund it first.`)
  return sentences.join(' ')
}

const DELETE_FAILED = 'Failed to delete student. Please try again.'

type StudentDeletion = ReturnType<typeof useDeleteStudent>

/** Deletes a student with all their records. The browser alerts when that fails (specification, section 8). */
function useDeleteStudent({ id }: Student) {
  const cache = useQueryClient()
  const isAbout = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    JSON.stringify(queryKey).includes(id)
  const { mutate, isPending, isSuccess, error, reset } = useEndpointMutation(studentsApi.remove, {
    onSuccess: () => {
      // What is about the student alone is there no more, and its screen is about to be left.
      void cache.invalidateQueries({ predicate: isAbout, refetchType: 'none' })
      void cache.invalidateQueries({ predicate: (query) => !isAbout(query) })
    },
  })
  return {
    isPending,
    isDeleted: isSuccess,
    failure: error && errorMessage(error, DELETE_FAILED),
    start: (guardians: GuardianChoice, onSuccess: () => void) =>
      mutate(
        { params: { id }, query: guardians === 'delete' ? { guardians } : {} },
        { onSuccess, onError: () => alert(DELETE_FAILED) },
      ),
    reset,
  }
}
