import { Box, Button, Checkbox, Text, TextInput } from '@mantine/core'
import { IconDoorExit, IconTrash } from '@tabler/icons-react'
import type { UseFormReturnType } from '@mantine/form'
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import {
  isPhoneOptional,
  withLatestBirthDate,
  studentUpdateFor,
} from '@tatami/contract/students/student-form'
import { parseMoney } from '@tatami/contract/lib/money'
import { useState } from 'react'
import { MONEY_RIGHTS } from '@tatami/contract/rights'
import { useCan } from '../lib/current-user.ts'
import { alertFailure } from '../lib/alert-failure.ts'
import { progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'
import { drafts, useDraft } from '../lib/drafts.ts'
import { PlanPriceNote } from '../memberships/memberships.tsx'
import { MessageDialog } from '../ui/message-dialogs.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import kit from '../ui/kit.module.css'
import { EDIT_DRAFT, LEAVE_DRAFT } from '../lib/student-drafts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { isStoredStudent } from './stored-student.ts'
import { FeeStartChoice } from './fee-start-choice.tsx'
import { StudentFields } from './student-fields.tsx'
import { DELETION_KEY, DeleteStudentDialog } from './delete-student-dialog.tsx'
import { isFeeRaised, type StudentForm, studentToForm, toUpdateBody } from './student-form.ts'

const LeaveDialog = lazyComponent(() => import('./leave-dialog.tsx'), 'LeaveDialog')

type Props = {
  student: Student
  onClose: () => void
  onLeft: (student: Student) => void
  onDeleted?: () => void
}

export function EditStudentDialog({ student, onClose, onLeft, onDeleted = onClose }: Props) {
  const [isConfirmingDeletion, setConfirmingDeletion] = useState(false)
  const [isLeaveDialogOpen, setLeaveDialogOpen] = useState(
    () => drafts.subjectOf(LEAVE_DRAFT) === student.id,
  )
  // A student stored on this device lacks some fields, and saving the form would clear them.
  const [needsNetwork] = useState(() => isStoredStudent(student))
  const [updatedName, setUpdatedName] = useState<string | null>(null)
  if (needsNetwork)
    return (
      <MessageDialog title="Edit Student" button="OK" onClose={onClose}>
        <Text>
          You’re offline, and this device doesn’t have all details of {student.name}. Try again when
          you’re online.
        </Text>
      </MessageDialog>
    )
  if (updatedName !== null)
    return (
      <MessageDialog
        title="Student Profile Updated!"
        role="alertdialog"
        button="OK"
        onClose={onClose}
      >
        <Text>The profile of {updatedName} was successfully updated.</Text>
      </MessageDialog>
    )
  return (
    <>
      <EditStudentForm
        student={student}
        onClose={onClose}
        onUpdated={setUpdatedName}
        onLeave={() => setLeaveDialogOpen(true)}
        onDelete={() => setConfirmingDeletion(true)}
      />
      {isLeaveDialogOpen && (
        <LeaveDialog
          student={student}
          onClose={() => setLeaveDialogOpen(false)}
          onLeft={() => {
            onClose()
            onLeft(student)
          }}
        />
      )}
      {isConfirmingDeletion && (
        <DeleteStudentDialog
          student={student}
          onClose={() => setConfirmingDeletion(false)}
          onDeleted={onDeleted}
        />
      )}
    </>
  )
}

const UPDATE_FAILED = 'Failed to update student. Please try again.'

type EditFormProps = {
  student: Student
  onClose: () => void
  onUpdated: (name: string) => void
  onLeave: () => void
  onDelete: () => void
}

function EditStudentForm({ student, onClose, onUpdated, ...actions }: EditFormProps) {
  const cache = useQueryClient()
  const can = useCan()
  const canSeeFees = MONEY_RIGHTS.some(can)
  const initialValues = studentToForm(student)
  const form = useSchemaForm(
    withLatestBirthDate(today(), studentUpdateFor(student, today())),
    initialValues,
    (values) => ({
      ...toUpdateBody(values, student),
      // The server keeps the stored fee, because this user cannot see it.
      ...(!canSeeFees && { monthly_payment_amount: 0 }),
    }),
  )
  useDraft(EDIT_DRAFT, form, student.id)
  const isDeleting = useIsMutating({ mutationKey: DELETION_KEY }) > 0
  const update = useEndpointMutation(studentsApi.update, {
    onSuccess: (reply) => onUpdated(reply.student.name),
    onError: (refusal) => {
      form.showRefusal(refusal)
      // The specification asks for the browser's alert (section 8).
      alertFailure(UPDATE_FAILED)
    },
    onSettled: () => refreshAll(cache),
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Edit Student"
      size="large"
      onSubmit={form.send(
        (body) => update.isPending || update.mutate({ params: { id: student.id }, body }),
      )}
      isDirty={form.isDirty()}
      isLocked={isDeleting}
      {...progressProps(update, UPDATE_FAILED)}
      submitLabel="Save Changes"
      busyLabel="Saving..."
      gap={0}
    >
      <StudentFields
        form={form}
        initialClasses={initialValues.class_preferences}
        isPhoneOptional={isPhoneOptional(student, today())}
        vacation={<VacationField form={form} />}
        payment={<PaymentFields form={form} student={student} />}
        canSeeFees={canSeeFees}
      />
      <LeaveAndDeleteActions {...actions} isDisabled={update.isPending} />
    </FormDialog>
  )
}

type LeaveAndDeleteActionsProps = Pick<EditFormProps, 'onLeave' | 'onDelete'> & {
  isDisabled: boolean
}

const LeaveAndDeleteActions = ({ onLeave, onDelete, isDisabled }: LeaveAndDeleteActionsProps) => (
  <Box mt="xl" className={`${kit.divided} ${kit.wrap}`}>
    <Button
      variant="default"
      leftSection={<IconDoorExit size={18} aria-hidden />}
      disabled={isDisabled}
      aria-haspopup="dialog"
      onClick={onLeave}
      {...LeaveDialog.preloadOnHover}
    >
      Mark as Left
    </Button>
    <Button
      variant="subtle"
      color="red"
      leftSection={<IconTrash size={18} aria-hidden />}
      disabled={isDisabled}
      onClick={onDelete}
    >
      Delete Student
    </Button>
  </Box>
)

type FieldsProps = {
  form: Pick<UseFormReturnType<StudentForm>, 'getInputProps' | 'setFieldValue' | 'values'>
}

const VacationField = ({ form }: FieldsProps) => (
  <Checkbox
    size="md"
    label="On Vacation"
    description="Stays enrolled, gets no group messages"
    {...form.getInputProps('on_vacation', { type: 'checkbox' })}
  />
)

function describeFeeChange(values: StudentForm, student: Student) {
  const newFee = parseMoney(values.monthly_payment_amount)
  if (newFee === undefined || newFee === student.monthly_payment_amount) return null
  const isRaise = isFeeRaised(values, student)
  return { isRaise, startsNextMonth: isRaise && values.fee_from !== 'this_month' }
}

const PaymentFields = ({ form, student }: FieldsProps & { student: Student }) => (
  <>
    <PlanPriceNote studentId={student.id} change={describeFeeChange(form.values, student)} />
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
      description="The reason for this fee. Only instructors see it"
      autoComplete="off"
      {...form.getInputProps('price_note')}
    />
    <Checkbox
      size="md"
      label="No sibling price"
      description="Pays the full fee and doesn’t count for siblings"
      {...form.getInputProps('sibling_exempt', { type: 'checkbox' })}
    />
    <Checkbox
      size="md"
      label="Application returned"
      {...form.getInputProps('app_returned', { type: 'checkbox' })}
    />
  </>
)
