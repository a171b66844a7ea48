import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { MONTHS } from '@tatami/contract/lib/calendar-day'
import { classesApi } from '@tatami/contract/classes/classes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { digitProps, moneyProps } from './field-props.ts'
import { canBePublic, type PlanFormState } from './plan-form.ts'
import styles from './plan-dialog.module.css'
import kit from '../ui/kit.module.css'

type Props = { form: PlanFormState }

/** The fields that few plans need. They are open if one of them has an error. */
export function MorePlanFields({ form, startsOpen }: Props & { startsOpen: boolean }) {
  const isMembership = form.values.category === 'membership'
  return (
    <Disclosure key={String(startsOpen)} summary="More options" startsOpen={startsOpen}>
      <div className={kit.stack}>
        {isMembership && <TermFields form={form} />}
        {isMembership && <FeeFields form={form} />}
        {isMembership && <HoldFields form={form} />}
        <AudienceFields form={form} />
        <TextFields form={form} />
      </div>
    </Disclosure>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={`${kit.fieldset} ${kit.stackSmall} ${styles.group}`}>
    <legend className={kit.legend}>{title}</legend>
    {children}
  </fieldset>
)

const TERMS = [
  { value: 'open', label: 'Goes on until it is ended' },
  { value: 'term', label: 'Ends after the term' },
  { value: 'renewing', label: 'Renews after the term' },
]

const TermFields = ({ form }: Props) => (
  <Group title="Term and notice">
    <NativeSelect label="How long it runs" data={TERMS} {...form.getInputProps('term')} />
    <div className={kit.fieldPair}>
      <TextInput
        label={form.values.term === 'open' ? 'Minimum term in months' : 'Term in months'}
        placeholder="None"
        {...digitProps(form, 'minimum_months')}
      />
      {form.values.term === 'renewing' && (
        <TextInput
          label="Renews for months"
          placeholder="12"
          {...digitProps(form, 'renews_for_months')}
        />
      )}
      <TextInput label="Notice in days" placeholder="None" {...digitProps(form, 'notice_days')} />
    </div>
  </Group>
)

const YEARLY_MONTHS = [
  { value: '', label: 'Choose' },
  ...MONTHS.map((name, index) => ({ value: String(index), label: name })),
]

const FeeFields = ({ form }: Props) => (
  <Group title="Other fees">
    <div className={kit.fieldPair}>
      <TextInput label="Sign-up fee" placeholder="None" {...moneyProps(form, 'sign_up_fee')} />
      <TextInput
        label="Fee for ending early"
        placeholder="None"
        {...moneyProps(form, 'early_end_fee')}
      />
    </div>
    <div className={kit.fieldPair}>
      <TextInput label="Yearly fee" placeholder="None" {...moneyProps(form, 'yearly_fee')} />
      {form.values.yearly_fee !== '' && (
        <NativeSelect
          label="Yearly fee is due in"
          data={YEARLY_MONTHS}
          {...form.getInputProps('yearly_fee_month')}
        />
      )}
    </div>
  </Group>
)

/** Earlier plans can have the value `free`, which means the same. */
const listHoldPrices = (value: string) => [
  { value: value === 'free' ? 'free' : 'prorated', label: 'Nothing for the days on hold' },
  { value: 'full', label: 'The full price, also for days on hold' },
]

const HoldFields = ({ form }: Props) => (
  <Group title="While a membership is on hold">
    <NativeSelect
      label="Price"
      description="If only a part of a period is on hold, its other days are paid for"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={listHoldPrices(form.values.hold_billing)}
      {...form.getInputProps('hold_billing')}
    />
    <TextInput
      label="Fee for each period on hold"
      placeholder="None"
      {...moneyProps(form, 'hold_fee')}
    />
  </Group>
)

const AudienceFields = ({ form }: Props) => (
  <Group title="Who it is for">
    <div className={kit.fieldPair}>
      <TextInput label="From age" placeholder="Any" {...digitProps(form, 'age_from')} />
      <TextInput label="Up to age" placeholder="Any" {...digitProps(form, 'age_until')} />
    </div>
    <ClassChoice form={form} />
    {canBePublic(form.values) && (
      <Checkbox
        size="md"
        label="Show on the join page"
        description="New students can choose it themselves"
        {...form.getInputProps('is_public', { type: 'checkbox' })}
      />
    )}
    {form.values.category === 'membership' && (
      <Checkbox
        size="md"
        label="Add-on"
        description="Students can have it besides another plan"
        {...form.getInputProps('is_add_on', { type: 'checkbox' })}
      />
    )}
  </Group>
)

function ClassChoice({ form }: Props) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  if (classes.length === 0) return null
  return (
    <Checkbox.Group
      label="Classes"
      description="Without a choice, all classes"
      size="md"
      {...form.getInputProps('class_ids')}
    >
      <div className={styles.classes}>
        {classes.map(({ id, class_name }) => (
          <Checkbox key={id} value={id} label={class_name} size="md" />
        ))}
      </div>
    </Checkbox.Group>
  )
}

const TextFields = ({ form }: Props) => (
  <Group title="Words">
    <TextInput
      label="Description"
      autoComplete="off"
      placeholder="For children from 5 to 12"
      {...form.getInputProps('description')}
    />
    <Textarea
      label="Terms"
      description="What a member agrees to"
      autosize
      minRows={3}
      maxRows={10}
      {...form.getInputProps('terms')}
    />
  </Group>
)
