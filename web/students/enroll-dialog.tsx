import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes/classes'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { OWN_LOGIN_AGE } from '@tatami/contract/guardians/guardians'
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
import { ENROLL_DRAFT } from '../lib/student-drafts.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { ConsentFields } from './consent-fields.tsx'
import { UsualFees } from './fee-field.tsx'
import { GuardianSection } from './guardian-section.tsx'
import { PlanField } from './plan-field.tsx'
import { StudentFields } from './student-fields.tsx'
import {
  EMPTY_STUDENT_FORM,
  type NewStudentBody,
  createNextForm,
  type GuardianContact,
  hasStartingPlan,
  omitFallbackClasses,
  type StudentForm,
  toCreateBody,
} from './student-form.ts'
import { ChildOrAdultChoice } from './child-or-adult-choice.tsx'

type DialogProps = {
  /** Known details of the first student, for example from a lead. */
  startValues?: StudentForm
  onEnrolled?: (student: Student) => void
  onClose: () => void
}

export function EnrollDialog({ startValues, onEnrolled, onClose }: DialogProps) {
  const [enrollment, setEnrollment] = useState<Enrollment | null>(null)
  const [lastValues, setLastValues] = useState<StudentForm | null>(null)
  const [nextGuardian, setNextGuardian] = useState<GuardianContact>()
  const showEnrollment = (newEnrollment: Enrollment, values: StudentForm) => {
    setEnrollment(newEnrollment)
    if (lastValues === null) onEnrolled?.(newEnrollment.student)
    setLastValues(values)
  }
  const enrollNext = (guardian?: GuardianContact) => {
    setNextGuardian(guardian)
    setEnrollment(null)
  }
  if (enrollment) return <EnrolledDialog {...enrollment} onClose={onClose} onNext={enrollNext} />
  const nextValues = lastValues ? createNextForm(lastValues, nextGuardian) : (startValues ?? null)
  return <EnrollForm nextValues={nextValues} onClose={onClose} onEnrolled={showEnrollment} />
}

type Props = {
  nextValues: StudentForm | null
  onClose: () => void
  onEnrolled: (enrollment: Enrollment, values: StudentForm) => void
}

function EnrollForm({ nextValues, onClose, onEnrolled }: Props) {
  const form = useSchemaForm(
    withLatestBirthDate(today(), newStudent),
    nextValues ?? EMPTY_STUDENT_FORM,
    toCreateBody,
  )
  useDraft(ENROLL_DRAFT, form)
  const { mutate, isPending, error } = useEnrollStudent()
  const onSuccess = (enrollment: Enrollment) => onEnrolled(enrollment, form.values)
  const enroll = form.send(
    (body) =>
      isPending ||
      mutate(
        { body, planId: hasStartingPlan(form.values) ? form.values.plan_id : null },
        { onSuccess, onError: form.showRefusal },
      ),
  )
  return (
    <FormDialog
      onClose={onClose}
      title="Enroll New Student"
      size="large"
      onSubmit={enroll}
      busy={isPending}
      isDirty={form.isDirty()}
      error={error && describeEnrollError(error)}
      submitLabel="Enroll Student"
      busyLabel="Enrolling..."
      gap={0}
    >
      <StudentFields
        form={form}
        initialClasses={[]}
        focusesName={nextValues !== null}
        childOrAdultChoice={<ChildOrAdultChoice form={form} />}
        guardian={form.values.is_child && <GuardianSection form={form} />}
        plan={<PlanField form={form} />}
        payment={<UsualFees form={form} />}
        password={
          <NewPasswordField
            label="Initial password"
            required
            ownNames={[form.values.name, form.values.email]}
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
  onNext: (guardian?: GuardianContact) => void
}

function EnrolledDialog({ student, classIds, hasPlanFailed, onClose, onNext }: EnrolledProps) {
  const guardian = student.guardians.find(({ pays }) => pays)
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const classNames = new Intl.ListFormat('en').format(
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
        {classNames
          ? `${student.name} is enrolled in ${classNames}.`
          : `${student.name} is enrolled, but not in a class yet.`}
      </Text>
      {hasPlanFailed && (
        <Text mt="sm">The plan could not be started. Please start it on the student’s page.</Text>
      )}
      <Text mt="sm">{describeLogin(student)}</Text>
      {guardian && (
        <Button variant="light" fullWidth mt="md" onClick={() => onNext(guardian)}>
          Another child of {guardian.name}
        </Button>
      )}
    </Sheet>
  )
}

function describeLogin(student: Student): string {
  if (!student.email)
    return 'They have no login. Invite their guardian to log in under Student Center, Families.'
  if (isUnderAge(student, OWN_LOGIN_AGE))
    return (
      `They are under ${OWN_LOGIN_AGE} and can log in as ${student.email} after a parent or ` +
      'guardian agrees. Record that on their page.'
    )
  return `They can log in as ${student.email} with the password you chose.`
}

type NewEnrollment = { body: NewStudentBody; planId: string | null }

/** A failed enrollment in a class is logged but not shown (specification, section 4). */
async function createAndEnroll({ body, planId }: NewEnrollment) {
  const { student } = await call(studentsApi.create, { body })
  const { id } = student
  const enrolledClassIds: string[] = []
  for (const classId of omitFallbackClasses(body.class_preferences ?? [])) {
    try {
      await call(studentsApi.enroll, { params: { id, classId } })
      enrolledClassIds.push(classId)
    } catch (error) {
      logFailure(studentsApi.enroll, error)
    }
  }
  const hasPlanFailed = planId !== null && !(await startPlan(id, planId))
  return { student, classIds: enrolledClassIds, hasPlanFailed }
}

/** Returns false if the plan could not be started. The student stays enrolled. */
async function startPlan(studentId: string, planId: string): Promise<boolean> {
  try {
    const body = { plan_id: planId, starts_on: today() }
    await call(membershipsApi.start, { params: { id: studentId }, body })
    return true
  } catch (error) {
    logFailure(membershipsApi.start, error)
    return false
  }
}

type Enrollment = Awaited<ReturnType<typeof createAndEnroll>>

function useEnrollStudent() {
  const cache = useQueryClient()
  const refresh = () => refreshAll(cache)
  return useMutation({
    mutationFn: createAndEnroll,
    onSuccess: refresh,
    onError: (error) => {
      // Without a response, the server may have enrolled the student.
      const mayHaveSucceeded = !(error instanceof ApiError) || isNetworkError(error)
      if (mayHaveSucceeded) refresh()
    },
  })
}

function describeEnrollError(error: unknown): string {
  if (isNetworkError(error)) return 'Network error: Unable to connect to server'
  if (error instanceof ApiError) return error.message
  return 'An unexpected error occurred'
}
