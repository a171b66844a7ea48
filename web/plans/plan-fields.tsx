import { NativeSelect, TextInput } from '@mantine/core'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { digitProps, moneyProps } from './field-props.ts'
import type { PlanCategory, PlanFormState } from './plan-form.ts'
import kit from '../ui/kit.module.css'

const CATEGORIES = [
  { value: 'membership', label: 'Membership' },
  { value: 'pack', label: 'Class pack' },
  { value: 'drop_in', label: 'Single class' },
] as const satisfies { value: PlanCategory; label: string }[]

type Props = { form: PlanFormState; isKindFixed: boolean }

/** The fields that almost every plan needs. */
export function PlanFields({ form, isKindFixed }: Props) {
  const { category } = form.values
  return (
    <>
      {!isKindFixed && (
        <ChoiceBar
          label="What you sell"
          choices={CATEGORIES}
          value={category}
          onChange={(value) => form.setFieldValue('category', value)}
        />
      )}
      <TextInput
        label="Name"
        required
        autoComplete="off"
        placeholder="Kids twice a week"
        {...form.getInputProps('name')}
      />
      {category === 'membership' && <MembershipPrice form={form} />}
      {category === 'pack' && <PackPrice form={form} />}
      {category === 'drop_in' && (
        <TextInput label="Price of a class" required {...moneyProps(form, 'price')} />
      )}
      {category === 'membership' && <EntryLimit form={form} />}
    </>
  )
}

type FormProps = { form: PlanFormState }

const MembershipPrice = ({ form }: FormProps) => (
  <>
    <TextInput label="Price" required {...moneyProps(form, 'price')} />
    <div className={kit.fieldPair}>
      <TextInput label="Billed every" required {...digitProps(form, 'cycle_count')} />
      <NativeSelect
        label="Period"
        data={periodNames(form.values.cycle_count)}
        {...form.getInputProps('cycle_unit')}
      />
    </div>
  </>
)

function periodNames(count: string) {
  const ending = count === '1' ? '' : 's'
  return ['week', 'month', 'year'].map((unit) => ({ value: unit, label: `${unit}${ending}` }))
}

const PackPrice = ({ form }: FormProps) => (
  <>
    <TextInput label="Price" required {...moneyProps(form, 'price')} />
    <div className={kit.fieldPair}>
      <TextInput label="Classes" required {...digitProps(form, 'visits')} />
      <TextInput
        label="Valid for how many days"
        placeholder="No limit"
        {...digitProps(form, 'valid_days')}
      />
    </div>
  </>
)

const LIMIT_PERIODS = [
  { value: '', label: 'No limit' },
  { value: 'week', label: 'A week' },
  { value: 'day', label: 'A day' },
  { value: 'cycle', label: 'A billing period' },
]

const EntryLimit = ({ form }: FormProps) => (
  <div className={kit.fieldPair}>
    <NativeSelect
      label="Limit of classes"
      data={LIMIT_PERIODS}
      {...form.getInputProps('entry_limit_per')}
    />
    {form.values.entry_limit_per !== '' && (
      <TextInput label="How many" required {...digitProps(form, 'entry_limit')} />
    )}
  </div>
)
