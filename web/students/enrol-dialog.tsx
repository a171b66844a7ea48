import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes/classes'
import { OWN_LOG_IN_AGE } from '@tatami/contract/guardians/guardians'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { withLatestBirthDate, newStudent } from '@tatami/contract/students/student-form'
import { useState } from 'react'
import { NewPasswordField } from '../accounts/new-password-field.tsx'
import { ApiError, call, isNetworkError, logFailure } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll } from '../lib/query.ts'
import { isUnderAge } from '../lib/is-under-age.ts'
import { useDraft } from '../lib/drafts.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { ConsentFields } from './consent-fields.tsx'
import { type FamilyGuardian, FamilyFields } from './family-fields.tsx'
import { StudentFields } from './student-fields.tsx'
import {
  EMPTY_STUDENT_FORM,
  type NewStudentBody,
  formForNextStudent,
  withoutFallbacks,
  type StudentForm,
  toCreateBody,
} from './student-form.ts'

export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const [enrollment, setEnrolled] = useState<Enrollment | null>(null)
  const [form, setForm] = useState<StudentForm | null>(null)
  const [guardian, setGuardian] = useState<FamilyGuardian>()
  const onEnrolled = (newEnrollment: Enrollment, values: StudentForm) => {
    setEnrolled(newEnrollment)
    setForm(values)
  }
  const enrolNext = (parent?: FamilyGuardian) => {
    setGuardian(parent)
    setEnrolled(null)
  }
  if (enrollment) return <EnrolledDialog {...enrollment} onClose={onClose} onNext={enrolNext} />
  const nextValues = form && formForNextStudent(form, guardian?.id)
  return (
    <EnrolForm
      nextValues={nextValues}
      guardian={guardian}
      onClose={onClose}
      onEnrolled={onEnrolled}
    />
  )
}

type Props = {
  /** Values of the student enrolled before; null for the first student. */
  nextValues: StudentForm | null
  /** The guardian of the student enrolled before, if this is a sibling. */
  guardian: FamilyGuardian | undefined
  onClose: () => void
  onEnrolled: (enrolled: Enrollment, form: StudentForm) => void
}

function EnrolForm({ nextValues, guardian, onClose, onEnrolled }: Props) {
  const form = useSchemaForm(
    withLatestBirthDate(today(), newStudent),
    nextValues ?? EMPTY_STUDENT_FORM,
    toCreateBody,
  )
  useDraft('enrol', form)
  const { mutate, isPending, error } = useEnrolStudent()
  const onSuccess = (enrollment: Enrollment) => onEnrolled(enrollment, form.values)
  const enrol = form.send(
    (body) => isPending || mutate(body, { onSuccess, onError: form.showRefusal }),
  )
  return (
    <FormDialog
      onClose={onClose}
      title="Enroll New Student"
      size="large"
      onSubmit={enrol}
      busy={isPending}
      isDirty={form.isDirty()}
      error={error && creationError(error)}
      submitLabel="Enroll Student"
      busyLabel="Enrolling..."
      gap={0}
    >
      <StudentFields
        form={form}
        initialClasses={[]}
        focusesName={nextValues !== null}
        family={<FamilyFields form={form} previousGuardian={guardian} />}
        password={
          <NewPasswordField
            label="Initial password"
            required
            ownWords={[form.values.name, form.values.email]}
            description="At least 8 characters"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('password')}
          />
        }
      />
      <ConsentFields form={form} />
    </FormDialog>
  )
}

type EnrolledProps = Enrollment & {
  onClose: () => void
  /** Opens the form again, for a child of the guardian if one is given. */
  onNext: (guardian?: FamilyGuardian) => void
}

function EnrolledDialog({ student, classIds, onClose, onNext }: EnrolledProps) {
  const guardian = student.guardians.find(({ pays }) => pays)
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const names = new Intl.ListFormat('en').format(
    classes.filter(({ id }) => classIds.includes(id)).map(({ class_name }) => class_name),
  )
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Student Enrolled"
      size="small"
      role="alertdialog"
      actions={
        <>
          <Button variant="default" onClick={() => onNext()}>
            Enroll Another
          </Button>
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </>
      }
    >
      <Text>
        {names
          ? `${student.name} is enrolled in ${names}.`
          : `${student.name} is enrolled, but in no class yet.`}
      </Text>
      <Text mt="sm">{logInWords(student)}</Text>
      {guardian && (
        <Button
          variant="light"
          fullWidth
          mt="md"
          onClick={() => onNext({ id: guardian.id, name: guardian.name })}
        >
          Another child of {guardian.name}
        </Button>
      )}
    </Sheet>
  )
}

function logInWords(student: Student): string {
  if (!student.email)
    return 'They have no login. Invite their guardian to log in under Student Center, Families.'
  if (isUnderAge(student, OWN_LOG_IN_AGE))
    return (
      `They are under ${OWN_LOG_IN_AGE} and can log in as ${student.email} once a parent or ` +
      'guardian agrees. Record that on their page.'
    )
  return `They can log in as ${student.email} with the password you chose.`
}

/** A class that fails is only logged (specification, section 4). */
async function createAndEnrol(body: NewStudentBody) {
  const { student } = await call(studentsApi.create, { body })
  const { id } = student
  const classIds: string[] = []
  for (const classId of withoutFallbacks(body.class_preferences ?? [])) {
    try {
      await call(studentsApi.enrol, { params: { id, classId } })
      classIds.push(classId)
    } catch (error) {
      logFailure(studentsApi.enrol, error)
    }
  }
  return { student, classIds }
}

type Enrollment = Awaited<ReturnType<typeof createAndEnrol>>

function useEnrolStudent() {
  const cache = useQueryClient()
  const refresh = () => refreshAll(cache)
  return useMutation({
    mutationFn: createAndEnrol,
    onSuccess: refresh,
    onError: (error) => {
      const mayHaveSucceeded = !(error instanceof ApiError) || isNetworkError(error)
      if (mayHaveSucceeded) refresh()
    },
  })
}

/** The server's message from any of three fields, else its status (specification, section 8). */
function creationError(error: unknown): string {
  if (isNetworkError(error)) return 'Network error: Unable to connect to server'
  if (error instanceof ApiError) return error.message
  return 'An unexpected error occurred'
}
