import { NativeSelect, TextInput } from '@mantine/core'
import { parseMoney, cleanMoneyInput } from '@tatami/contract/lib/money'
import { CLASS_TASK } from '@tatami/contract/staff/hours'
import { payApi, type PayUnit, rateForm } from '@tatami/contract/staff/pay'
import { failureMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import kit from '../ui/kit.module.css'
import { toFormField, OTHER_TASK, TASK_CHOICES } from './hours-form.ts'
import { RATE_QUERIES } from './work-queries.ts'

const UNITS: { value: PayUnit; label: string }[] = [
  { value: 'hour', label: 'per hour' },
  { value: 'class', label: 'per class' },
]

type RateValues = {
  person_id: string
  task_choice: string
  own_task: string
  unit: string
  amount: string
  from: string
}
const toRequestBody = ({ amount, task_choice, own_task, ...values }: RateValues) => ({
  ...values,
  task: task_choice === OTHER_TASK ? own_task : task_choice,
  unit: values.unit === 'class' ? ('class' as const) : ('hour' as const),
  amount: parseMoney(amount) ?? NaN,
})

type Props = { people: readonly { id: string; name: string }[]; onClose: () => void }

export function AddRateDialog({ people, onClose }: Props) {
  const initialValues = {
    person_id: people[0]?.id ?? '',
    task_choice: CLASS_TASK as string,
    own_task: '',
    unit: 'hour',
    amount: '',
    from: today(),
  }
  const form = useSchemaForm(rateForm, initialValues, toRequestBody, toFormField)
  const save = useEndpointMutation(payApi.setRate, {
    refreshes: RATE_QUERIES,
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Add a rate"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => save.isPending || save.mutate({ body }))}
      busy={save.isPending}
      error={failureMessage(save, 'The rate could not be saved. Please try again.')}
      submitLabel="Add"
      busyLabel="Adding..."
    >
      <NativeSelect
        {...form.getInputProps('person_id')}
        label="Person"
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NativeSelect {...form.getInputProps('task_choice')} label="Task" data={TASK_CHOICES} />
      {form.values.task_choice === OTHER_TASK && (
        <TextInput
          {...form.getInputProps('own_task')}
          label="Name of the task"
          description="Exactly as entered in the hours"
          required
          maxLength={60}
        />
      )}
      <div className={kit.fieldPair}>
        <TextInput
          {...form.getInputProps('amount')}
          label="Amount"
          required
          inputMode="decimal"
          leftSection="$"
          onChange={(event) => form.setFieldValue('amount', cleanTypedText(event, cleanMoneyInput))}
        />
        <NativeSelect {...form.getInputProps('unit')} label="Unit" data={UNITS} />
      </div>
      <TextInput {...form.getInputProps('from')} type="date" label="From" required />
    </FormDialog>
  )
}
