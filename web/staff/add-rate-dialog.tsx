import { NativeSelect, TextInput } from '@mantine/core'
import { parseMoney, sanitizeMoneyInput } from '@tatami/contract/lib/money'
import { CLASS_TASK, DESK_TASK } from '@tatami/contract/staff/hours'
import { payApi, type PayUnit, rateForm } from '@tatami/contract/staff/pay'
import { failureMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { sanitizeInput, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import kit from '../ui/kit.module.css'
import { RATE_QUERIES } from './rates-dialog.tsx'

const UNITS: { value: PayUnit; label: string }[] = [
  { value: 'hour', label: 'per hour' },
  { value: 'class', label: 'per class' },
]
const TASKS_ID = 'rate-tasks'

type Values = { person_id: string; task: string; unit: string; amount: string; from: string }
const toRequest = ({ amount, ...values }: Values) => ({
  ...values,
  unit: values.unit === 'class' ? ('class' as const) : ('hour' as const),
  amount: parseMoney(amount) ?? NaN,
})

type Props = { people: readonly { id: string; name: string }[]; onClose: () => void }

export function AddRateDialog({ people, onClose }: Props) {
  const initialValues = {
    person_id: people[0]?.id ?? '',
    task: CLASS_TASK as string,
    unit: 'hour',
    amount: '',
    from: today(),
  }
  const form = useSchemaForm(rateForm, initialValues, toRequest)
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
      <TextInput
        {...form.getInputProps('task')}
        label="Task"
        description="As it is written in the hours"
        required
        list={TASKS_ID}
      />
      <datalist id={TASKS_ID}>
        <option value={CLASS_TASK} />
        <option value={DESK_TASK} />
      </datalist>
      <div className={kit.fieldPair}>
        <TextInput
          {...form.getInputProps('amount')}
          label="Amount"
          required
          inputMode="decimal"
          leftSection="$"
          onChange={(event) =>
            form.setFieldValue('amount', sanitizeInput(event, sanitizeMoneyInput))
          }
        />
        <NativeSelect {...form.getInputProps('unit')} label="Unit" data={UNITS} />
      </div>
      <TextInput {...form.getInputProps('from')} type="date" label="From" required />
    </FormDialog>
  )
}
