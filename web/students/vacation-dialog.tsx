import { Button, Text, TextInput } from '@mantine/core'
import { vacation, type Vacation } from '@tatami/contract/students/student-page'
import type { Student } from '@tatami/contract/students/students'
import { progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useOtherHold, VacationPreview } from '../memberships/memberships.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { VACATION_DRAFT } from '../lib/student-drafts.ts'
import kit from '../ui/kit.module.css'
import { useVacation } from './use-vacation.ts'

const NO_VACATION = { vacation_from: null, vacation_until: null }

type Props = {
  student: Student
  /** The days that the page shows, which may be those of a hold of another kind. */
  dates: Vacation
  onClose: () => void
  /** Called if saving the old days again undoes it. */
  onSaved: () => void
}

function useVacationForm(studentId: string, dates: Vacation) {
  const initialValues = {
    vacation_from: dates.vacation_from ?? today(),
    vacation_until: dates.vacation_until ?? '',
  }
  const toDates = (values: typeof initialValues) => ({
    vacation_from: values.vacation_from || null,
    vacation_until: values.vacation_until || null,
  })
  const form = useSchemaForm(vacation, initialValues, toDates)
  useDraft(VACATION_DRAFT, form, studentId)
  return form
}

export function VacationDialog({ student, dates, onClose, onSaved }: Props) {
  const otherHold = useOtherHold(student.id, dates)
  const form = useVacationForm(student.id, otherHold ? NO_VACATION : dates)
  const { save, isPending, error } = useVacation(student.id)
  const saveDates = (newDates: Vacation) =>
    save(newDates, {
      onSuccess: () => {
        if (!otherHold) onSaved()
        onClose()
      },
      onError: form.showRefusal,
    })
  const hasVacation = !otherHold && (student.on_vacation || dates.vacation_from !== null)
  return (
    <FormDialog
      onClose={onClose}
      title={`${student.name}’s vacation`}
      onSubmit={form.send((newDates) => isPending || saveDates(newDates))}
      isDirty={form.isDirty()}
      {...progressProps({ isPending, error }, 'The vacation could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
      extraAction={
        hasVacation && (
          <Button variant="default" disabled={isPending} onClick={() => saveDates(NO_VACATION)}>
            {student.on_vacation ? 'End it now' : 'Cancel vacation'}
          </Button>
        )
      }
    >
      <DayFields form={form} />
      <VacationPreview
        student={student}
        dates={form.values}
        hasVacation={hasVacation}
        otherHold={otherHold}
      />
      <Text c="dimmed">
        It starts and ends automatically. Meanwhile {student.name} stays enrolled and gets no group
        messages. You can still text them directly.
      </Text>
    </FormDialog>
  )
}

const DayFields = ({ form }: { form: ReturnType<typeof useVacationForm> }) => (
  <div className={kit.fieldPair}>
    <TextInput type="date" label="First day" required {...form.getInputProps('vacation_from')} />
    <TextInput
      type="date"
      label="Last day"
      min={today()}
      description="Leave blank if you don’t know yet"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...form.getInputProps('vacation_until')}
    />
  </div>
)
