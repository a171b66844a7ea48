import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes'
import { bornBy, newStudent, studentsApi } from '@tatami/contract/students'
import { useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { ApiError, call, gotNoAnswer } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { logFailure } from '../lib/log-failure.ts'
import { endpointQuery } from '../lib/query.ts'
import { useDraft } from '../lib/use-draft.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FormNotice } from '../ui/form-notice.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { StudentFields } from './student-fields.tsx'
import { emptyForm, type NewStudentBody, nextForm, realClasses, type StudentForm, toNewStudent } from './student-form.ts'

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

/** Says what was done, with the classes that really took the student. */
function EnrolledDialog({ student, joined, onClose, onNext }: Enrolled & { onClose: () => void; onNext: () => void }) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const names = new Intl.ListFormat('en').format(classes.filter(({ id }) => joined.includes(id)).map((c) => c.class_name))
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Student Enrolled"
      size="small"
      role="alertdialog"
      actions={
        <>
          <Button variant="default" onClick={onNext}>
            Enroll Another
          </Button>
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </>
      }
    >
      <Text>{names ? `${student.name} is enrolled in ${names}.` : `${student.name} is enrolled, and in no class yet.`}</Text>
      <Text mt="sm">They can log in as {student.email} with the password that you chose.</Text>
    </Sheet>
  )
}

/** Creates the student, then enrols class by class; a class that fails is only logged (specification, section 4). */
async function createAndEnrol(body: NewStudentBody) {
  const { student } = await call(studentsApi.create, { body })
  // What is not a student's record fails here, before anything is said to be done.
  const { id } = student
  const joined: string[] = []
  for (const classId of realClasses(body.class_preferences ?? [])) {
    try {
      await call(studentsApi.enrol, { params: { id, classId } })
      joined.push(classId)
    } catch (error) {
      logFailure(studentsApi.enrol, error)
    }
  }
  return { student, joined }
}

/** The student, and the classes that really took them. */
type Enrolled = Awaited<ReturnType<typeof createAndEnrol>>

function useEnrolment() {
  const cache = useQueryClient()
  // Lists, figures and birthdays of every screen may have one more.
  const refresh = () => void cache.invalidateQueries()
  return useMutation({
    mutationFn: createAndEnrol,
    onSuccess: refresh,
    onError: (error) => {
      const mayBeDone = !(error instanceof ApiError) || gotNoAnswer(error)
      if (mayBeDone) refresh()
    },
  })
}

/** Why a student could not be created: the server's words in any of three fields, else its status (specification, section 8). */
function whyNotCreated(error: unknown): string {
  if (gotNoAnswer(error)) return 'Network error: Unable to connect to server'
  if (error instanceof ApiError) return error.message
  return 'An unexpected error occurred'
}
