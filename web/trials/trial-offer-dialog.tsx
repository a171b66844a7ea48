import { Checkbox, NumberInput, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { classesApi } from '@tatami/contract/classes/classes'
import { cleanMoneyInput, formatDecimal, parseMoney } from '@tatami/contract/lib/money'
import { type TrialOffer, trialOfferForm, trialsApi } from '@tatami/contract/trials/trials'
import { useQuery } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { classOptions } from '../lib/class-options.ts'
import { useDraft } from '../lib/drafts.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import kit from '../ui/kit.module.css'

/** Numbers are empty while nothing is typed. */
type FormValues = {
  name: string
  is_on: boolean
  class_ids: string[]
  min_age: number | ''
  max_age: number | ''
  trial_places: number | ''
  uses_class_places: boolean
  days_ahead: number | ''
  cutoff_minutes: number | ''
  visits: number | ''
  within_days: number | ''
  asks_birthday: boolean
  asks_signature: boolean
  /** Empty for a free trial. */
  price: string
  confirmation: string
  sends_reminders: boolean
  writes_when_missed: boolean
}

const NEW_OFFER: FormValues = {
  name: 'Free trial',
  is_on: true,
  class_ids: [],
  min_age: '',
  max_age: '',
  trial_places: '',
  uses_class_places: true,
  days_ahead: 14,
  cutoff_minutes: 60,
  visits: 1,
  within_days: '',
  asks_birthday: false,
  asks_signature: true,
  price: '',
  confirmation: '',
  sends_reminders: true,
  writes_when_missed: false,
}

const toValues = ({ id: _, ...offer }: TrialOffer): FormValues => ({
  ...offer,
  min_age: offer.min_age ?? '',
  max_age: offer.max_age ?? '',
  trial_places: offer.trial_places ?? '',
  within_days: offer.within_days ?? '',
  price: offer.price === null ? '' : formatDecimal(offer.price),
  confirmation: offer.confirmation ?? '',
})

const emptyAsNull = (value: number | '') => (value === '' ? null : value)

const toBody = (values: FormValues) => ({
  ...values,
  min_age: emptyAsNull(values.min_age),
  max_age: emptyAsNull(values.max_age),
  trial_places: emptyAsNull(values.trial_places),
  within_days: emptyAsNull(values.within_days),
  price: values.price === '' ? null : (parseMoney(values.price) ?? NaN),
  days_ahead: Number(values.days_ahead),
  cutoff_minutes: Number(values.cutoff_minutes),
  visits: Number(values.visits),
})

type Props = { offer: TrialOffer | null; onClose: () => void }

function useOfferForm({ offer, onClose }: Props) {
  const form = useSchemaForm(trialOfferForm, offer ? toValues(offer) : NEW_OFFER, toBody)
  useDraft('trial-offer', form, offer?.id ?? '')
  const options = {
    refreshes: [trialsApi.offers],
    onSuccess: onClose,
    onError: form.showRefusal,
  }
  const add = useEndpointMutation(trialsApi.addOffer, options)
  const change = useEndpointMutation(trialsApi.changeOffer, options)
  const submit = form.send((body) => {
    if (add.isPending || change.isPending) return
    if (offer) change.mutate({ params: { id: offer.id }, body })
    else add.mutate({ body })
  })
  return { form, submit, attempt: offer ? change : add }
}

type OfferForm = ReturnType<typeof useOfferForm>['form']

export function TrialOfferDialog({ offer, onClose }: Props) {
  const { form, submit, attempt } = useOfferForm({ offer, onClose })
  return (
    <FormDialog
      title={offer ? 'Edit the trial' : 'Offer a trial'}
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={submit}
      submitLabel="Save"
      busyLabel="Saving..."
      {...progressProps(attempt, 'The trial could not be saved. Please try again.')}
    >
      <Switch
        size="md"
        label="Visitors can book it"
        {...form.getInputProps('is_on', { type: 'checkbox' })}
      />
      <TextInput label="Name" required autoComplete="off" {...form.getInputProps('name')} />
      <ClassChoice form={form} />
      <PriceField form={form} />
      <PlaceFields form={form} />
      <TimeFields form={form} />
      <QuestionFields form={form} />
      <MessageFields form={form} />
    </FormDialog>
  )
}

function ClassChoice({ form }: { form: OfferForm }) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  return (
    <Checkbox.Group label="Classes" size="md" required {...form.getInputProps('class_ids')}>
      <div className={kit.stackTight}>
        {classOptions(classes).map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} size="md" />
        ))}
      </div>
    </Checkbox.Group>
  )
}

type NumberFieldProps = {
  form: OfferForm
  field:
    | 'min_age'
    | 'max_age'
    | 'trial_places'
    | 'days_ahead'
    | 'cutoff_minutes'
    | 'visits'
    | 'within_days'
  label: string
  placeholder?: string
}

const NumberField = ({ form, field, label, placeholder }: NumberFieldProps) => {
  const { onChange, ...inputProps } = form.getInputProps(field)
  return (
    <NumberInput
      label={label}
      hideControls
      allowDecimal={false}
      allowNegative={false}
      inputMode="numeric"
      {...(placeholder !== undefined && { placeholder })}
      {...inputProps}
      onChange={(value) => onChange(value === '' ? '' : Number(value))}
    />
  )
}

const PriceField = ({ form }: { form: OfferForm }) => (
  <TextInput
    {...form.getInputProps('price')}
    label="Price"
    description="Visitors pay at the school, or by card with online payment"
    placeholder="Free"
    inputMode="decimal"
    leftSection="$"
    autoComplete="off"
    onChange={(event) => form.setFieldValue('price', cleanTypedText(event, cleanMoneyInput))}
  />
)

const PlaceFields = ({ form }: { form: OfferForm }) => (
  <>
    <SimpleGrid cols={2} spacing="md">
      <NumberField form={form} field="min_age" label="From age" placeholder="Any" />
      <NumberField form={form} field="max_age" label="Up to age" placeholder="Any" />
      <NumberField form={form} field="trial_places" label="Trials per date" placeholder="Any" />
      <NumberField form={form} field="visits" label="Trials per person" />
      <NumberField
        form={form}
        field="within_days"
        label="All trials within (days)"
        placeholder="Any"
      />
    </SimpleGrid>
    <Checkbox
      size="md"
      label="A trial takes a place of the class"
      description="Matters only for classes with a limit"
      {...form.getInputProps('uses_class_places', { type: 'checkbox' })}
    />
  </>
)

const TimeFields = ({ form }: { form: OfferForm }) => (
  <SimpleGrid cols={2} spacing="md">
    <NumberField form={form} field="days_ahead" label="Days ahead (1 to 60)" />
    <NumberField form={form} field="cutoff_minutes" label="Closes (minutes before)" />
  </SimpleGrid>
)

const QuestionFields = ({ form }: { form: OfferForm }) => (
  <>
    <Checkbox
      size="md"
      label="Ask for the birthday instead of the age"
      {...form.getInputProps('asks_birthday', { type: 'checkbox' })}
    />
    <Checkbox
      size="md"
      label="Ask visitors to sign your documents for trials"
      description="They can sign after booking, or at the kiosk"
      {...form.getInputProps('asks_signature', { type: 'checkbox' })}
    />
  </>
)

const MessageFields = ({ form }: { form: OfferForm }) => (
  <>
    <Textarea
      label="Your words in the confirmation"
      autosize
      minRows={2}
      maxRows={8}
      {...form.getInputProps('confirmation')}
    />
    <Checkbox
      size="md"
      label="Send a reminder the day before"
      {...form.getInputProps('sends_reminders', { type: 'checkbox' })}
    />
    <Checkbox
      size="md"
      label="Write once to visitors who missed their trial"
      {...form.getInputProps('writes_when_missed', { type: 'checkbox' })}
    />
  </>
)
