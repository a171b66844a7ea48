import { parseMoney, cleanMoneyInput } from '@tatami/contract/lib/money'
import { TextInput } from '@mantine/core'
import type { GradingForm, GradingSummary } from '@tatami/contract/gradings/gradings'
import { cleanTypedText, type useSchemaForm } from '../lib/form.ts'
import styles from './grading-fields.module.css'
import { suggestName } from './grading-text.ts'

export type GradingValues = Record<keyof GradingForm, string>
type Form = ReturnType<typeof useSchemaForm<GradingValues, GradingForm>>

export const createGradingValues = (held_on: string): GradingValues => ({
  name: suggestName(held_on),
  held_on,
  held_at: '',
  place: '',
  fee: '',
  answer_until: '',
  examiner: '',
})

export const toFormValues = ({
  name,
  held_on,
  held_at,
  place,
  fee,
  answer_until,
  examiner,
}: GradingSummary): GradingValues => ({
  name,
  held_on,
  held_at: held_at ?? '',
  place: place ?? '',
  fee: fee === null ? '' : String(fee),
  answer_until: answer_until ?? '',
  examiner: examiner ?? '',
})

/** The schema turns empty text into null. */
export const toRequestBody = ({ fee, ...values }: GradingValues) =>
  ({ ...values, fee: parseMoney(fee) ?? null }) as GradingForm

/** The suggested name changes with the date until the user edits it. */
export function GradingFields({ form }: { form: Form }) {
  const { name, held_on } = form.values
  const setDate = (date: string) => {
    if (name === suggestName(held_on) || name === '') form.setFieldValue('name', suggestName(date))
    form.setFieldValue('held_on', date)
  }
  return (
    <div className={styles.fields}>
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        required
        maxLength={80}
        className={styles.wide}
      />
      <TextInput
        {...form.getInputProps('held_on')}
        type="date"
        label="Date"
        required
        onChange={(event) => setDate(event.currentTarget.value)}
      />
      <TextInput {...form.getInputProps('held_at')} type="time" label="Time" />
      <TextInput {...form.getInputProps('place')} label="Place" maxLength={100} />
      <TextInput {...form.getInputProps('examiner')} label="Examiner" maxLength={100} />
      <TextInput
        {...form.getInputProps('fee')}
        label="Fee"
        description="Leave blank to charge by rank"
        inputMode="decimal"
        leftSection="$"
        onChange={(event) => form.setFieldValue('fee', cleanTypedText(event, cleanMoneyInput))}
      />
      <TextInput
        {...form.getInputProps('answer_until')}
        type="date"
        label="Answer by"
        description="Leave blank for the day of the test"
        max={held_on}
      />
    </div>
  )
}
