import { Button } from '@mantine/core'
import { newStudent } from '@tatami/contract/students'
import { useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { useSchemaForm } from '../kernel/form.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { EnrolledDialog } from './enrolled-dialog.tsx'
import { whyNotCreated } from './enrolment-error.ts'
import { FormNotice } from '../ui/form-notice.tsx'
import { emptyForm, toNewStudent } from './student-form.ts'
import { StudentFields } from './student-fields.tsx'
import { type Enrolled, useEnrolment } from './use-enrolment.ts'

/** Enrols one student after another: the form, then what was done. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  return enrolled ? (
    <EnrolledDialog {...enrolled} onClose={onClose} onNext={() => setEnrolled(null)} />
  ) : (
    <EnrolForm onClose={onClose} onEnrolled={setEnrolled} />
  )
}

function EnrolForm({ onClose, onEnrolled }: { onClose: () => void; onEnrolled: (enrolled: Enrolled) => void }) {
  const form = useSchemaForm(newStudent, emptyForm, toNewStudent)
  const { mutate, isPending, error } = useEnrolment()
  const enrol = form.send((body) => isPending || mutate(body, { onSuccess: onEnrolled, onError: form.showRefusal }))
  // What is under way is not left: one would not hear how it ended.
  const close = () => isPending || onClose()
  return (
    <Sheet
      opened
      onClose={close}
      title="Enroll New Student"
      size="large"
      onSubmit={enrol}
      actions={
        <>
          <FormNotice>{error && whyNotCreated(error)}</FormNotice>
          <Button variant="default" onClick={close} disabled={isPending}>
            Cancel
          </Button>
          <BusyButton type="submit" busy={isPending} busyLabel="Enrolling...">
            Enroll Student
          </BusyButton>
        </>
      }
    >
      <StudentFields
        form={form}
        classesBefore={[]}
        password={
          <PasswordField
            label="Initial password"
            required
            autoComplete="new-password"
            description="At least 8 characters"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('password')}
          />
        }
      />
    </Sheet>
  )
}
