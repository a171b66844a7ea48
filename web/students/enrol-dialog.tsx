import { bornBy, newStudent } from '@tatami/contract/students'
import { useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useDraft } from '../lib/use-draft.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { EnrolledDialog } from './enrolled-dialog.tsx'
import { whyNotCreated } from './enrolment-error.ts'
import { FormNotice } from '../ui/form-notice.tsx'
import { emptyForm, nextForm, type StudentForm, toNewStudent } from './student-form.ts'
import { StudentFields } from './student-fields.tsx'
import { type Enrolled, useEnrolment } from './use-enrolment.ts'

/** Enrols one student after another: the form, then what was done. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  const [before, setBefore] = useState<StudentForm | null>(null)
  const onEnrolled = (done: Enrolled, form: StudentForm) => {
    setEnrolled(done)
    setBefore(nextForm(form))
  }
  return enrolled ? (
    <EnrolledDialog {...enrolled} onClose={onClose} onNext={() => setEnrolled(null)} />
  ) : (
    <EnrolForm before={before} onClose={onClose} onEnrolled={onEnrolled} />
  )
}

type Props = {
  /** What the next student has in common with the last one. */
  before: StudentForm | null
  onClose: () => void
  onEnrolled: (enrolled: Enrolled, form: StudentForm) => void
}

function EnrolForm({ before, onClose, onEnrolled }: Props) {
  const form = useSchemaForm(bornBy(today(), newStudent), before ?? emptyForm, toNewStudent)
  useDraft('enrol', form)
  const { mutate, isPending, error } = useEnrolment()
  const onSuccess = (enrolled: Enrolled) => onEnrolled(enrolled, form.values)
  const enrol = form.send((body) => isPending || mutate(body, { onSuccess, onError: form.showRefusal }))
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Enroll New Student"
      size="large"
      onSubmit={enrol}
      busy={isPending}
      unsent={form.isDirty()}
      actions={
        <>
          <FormNotice>{error && whyNotCreated(error)}</FormNotice>
          <CancelButton />
          <BusyButton type="submit" busy={isPending} busyLabel="Enrolling...">
            Enroll Student
          </BusyButton>
        </>
      }
    >
      <StudentFields
        form={form}
        classesBefore={[]}
        startsAtName={before !== null}
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
