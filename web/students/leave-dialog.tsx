import { firstDayOf, isDay, monthOfDate, nextMonth } from '@tatami/contract/lib/calendar-day'
import { formatMoney } from '@tatami/contract/lib/money'
import { NativeSelect, Text, TextInput } from '@mantine/core'
import {
  LEAVE_REASON_LABELS,
  LEAVE_REASONS,
  type LeavingImpact,
  leavingWithLatestDay,
} from '@tatami/contract/students/leaving'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { LEAVE_DRAFT } from '../lib/student-drafts.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import kit from '../ui/kit.module.css'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './leave-dialog.module.css'
import { listEndedItems, listKeptItems, sumOwedOnLeaving } from './leaving-text.ts'

type Props = { student: Student; onClose: () => void; onLeft: () => void }

const SAVE_FAILED = 'This could not be saved. Please try again.'

function useLeavingForm(studentId: string) {
  const initialValues = { left_on: today(), reason: '', note: '', writes_off_debts: false }
  const form = useSchemaForm(leavingWithLatestDay(today()), initialValues)
  useDraft(LEAVE_DRAFT, form, studentId)
  return form
}
type LeavingForm = ReturnType<typeof useLeavingForm>

/** While another last day is loading, the consequences of the one before stay. */
function useLeavingImpact(id: string, lastDay: string): LeavingImpact | undefined {
  const isValid = isDay(lastDay) && lastDay <= today()
  const query = isValid ? { left_on: lastDay } : {}
  const { data } = useQuery({
    ...endpointQuery(studentsApi.leavingImpact, { params: { id }, query }),
    placeholderData: keepPreviousData,
  })
  return data
}

export function LeaveDialog({ student, onClose, onLeft }: Props) {
  const cache = useQueryClient()
  const form = useLeavingForm(student.id)
  const impact = useLeavingImpact(student.id, form.values.left_on)
  const leave = useEndpointMutation(studentsApi.leave, {
    onSuccess: () => {
      refreshAll(cache)
      onLeft()
    },
    onError: form.showRefusal,
  })
  const submit = form.send(
    (values) =>
      leave.isPending || leave.mutate({ params: { id: student.id }, body: toBody(values) }),
  )
  return (
    <FormDialog
      onClose={onClose}
      title={`${student.name} is leaving`}
      onSubmit={submit}
      isDirty={form.isDirty()}
      {...progressProps(leave, SAVE_FAILED)}
      submitLabel="Mark as Left"
      busyLabel="Saving..."
    >
      <LeavingFields form={form} />
      {impact ? (
        <>
          <DebtChoice form={form} impact={impact} />
          <Consequences student={student} impact={impact} />
        </>
      ) : (
        <SkeletonBlock height="12rem" />
      )}
    </FormDialog>
  )
}

/** The form has already checked that `reason` is one of the reasons. */
const toBody = ({ reason, ...values }: LeavingForm['values']) => ({
  ...values,
  reason: LEAVE_REASONS.find((choice) => choice === reason) ?? 'other',
})

const LeavingFields = ({ form }: { form: LeavingForm }) => (
  <>
    <div className={kit.fieldPair}>
      <TextInput
        type="date"
        label="Last day"
        required
        max={today()}
        {...form.getInputProps('left_on')}
      />
      <NativeSelect
        label="Reason"
        required
        data={[
          { value: '', label: 'Choose' },
          ...LEAVE_REASONS.map((reason) => ({ value: reason, label: LEAVE_REASON_LABELS[reason] })),
        ]}
        {...form.getInputProps('reason')}
      />
    </div>
    <TextInput
      label="Note"
      description="Only instructors see it"
      autoComplete="off"
      {...form.getInputProps('note')}
    />
  </>
)

const isInThisMonth = (day: string) =>
  day !== '' && firstDayOf(monthOfDate(day)) === firstDayOf(thisMonth())

type ImpactProps = { form: LeavingForm; impact: LeavingImpact }

function DebtChoice({ form, impact }: ImpactProps) {
  const owedAmount = sumOwedOnLeaving(impact, isInThisMonth(form.values.left_on))
  if (owedAmount === 0) return null
  const label = `What to do with the ${formatMoney(owedAmount)} still owed`
  return (
    <div>
      <Text fw={600} mb="xs" aria-hidden>
        {label}
      </Text>
      <ChoiceBar
        label={label}
        choices={[
          { value: 'keep', label: 'Keep it on Past Due' },
          { value: 'write-off', label: 'Write it off' },
        ]}
        value={form.values.writes_off_debts ? 'write-off' : 'keep'}
        onChange={(choice) => form.setFieldValue('writes_off_debts', choice === 'write-off')}
      />
    </div>
  )
}

function Consequences({ student, impact }: { student: Student; impact: LeavingImpact }) {
  const endedItems = listEndedItems(student, impact, {
    beltTest: schoolBeltTestName().capitalized,
    nextMonth: formatMonth(nextMonth(thisMonth())),
  })
  return (
    <>
      <SentenceList title="What ends" sentences={endedItems} />
      <SentenceList title="What stays" sentences={listKeptItems(student, impact)} />
    </>
  )
}

type ListProps = { title: string; sentences: string[] }

const SentenceList = ({ title, sentences }: ListProps) => (
  <section aria-label={title}>
    <Text fw={600}>{title}</Text>
    <ul className={styles.list}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </section>
)
