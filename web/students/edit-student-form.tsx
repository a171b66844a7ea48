import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { bornBy, type Student, studentsApi, studentUpdate } from '@tatami/contract/students'
import { useQueryClient } from '@tanstack/react-query'
import { explain } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/use-draft.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import classes from './edit-student-form.module.css'
import { FormNotice } from '../ui/form-notice.tsx'
import { formOf, toUpdate } from './student-form.ts'
import { StudentFields } from './student-fields.tsx'

const FAILED = 'Failed to update student. Please try again.'

type Props = {
  student: Student
  isDeleting: boolean
  onClose: () => void
  onUpdated: (student: Student) => void
  onDelete: () => void
}

export function EditStudentForm({ student, isDeleting, onClose, onUpdated, onDelete }: Props) {
  const cache = useQueryClient()
  const before = formOf(student)
  const form = useSchemaForm(bornBy(today(), studentUpdate), before, toUpdate)
  useDraft('edit-student', form, student.id)
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.update, { onSettled: () => void cache.invalidateQueries() })
  const onError = (refusal: Error) => {
    form.showRefusal(refusal)
    // The specification wants the browser's own alert (section 8); why it failed stands in the form.
    alert(FAILED)
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
          <FormNotice>{error && explain(error, FAILED)}</FormNotice>
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
      <div className={classes.end}>
        <Button variant="light" color="red" leftSection={<IconTrash size={18} aria-hidden />} disabled={isPending} onClick={onDelete}>
          Delete Student
        </Button>
      </div>
    </Sheet>
  )
}
