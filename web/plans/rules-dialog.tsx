import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type PlanRules, planRules, plansApi } from '@tatami/contract/plans/plans'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { LoadingSheet } from '../ui/loading.tsx'
import { digitProps } from './field-props.ts'
import { PLAN_RULES_DRAFT } from './open-dialog.ts'
import kit from '../ui/kit.module.css'

const TITLE = 'Rules for all plans'

export function RulesDialog({ onClose }: { onClose: () => void }) {
  const rules = useRetryingQuery(endpointQuery(plansApi.rules))
  if (rules.data) return <RulesForm rules={rules.data} onClose={onClose} />
  return (
    <LoadingSheet
      title={TITLE}
      query={rules}
      error="The rules could not be loaded."
      label="Loading..."
      onClose={onClose}
    />
  )
}

const NUMBER_FIELDS = [
  'sign_up_again_after_months',
  'yearly_fee_gap_days',
  'cooling_off_days',
  'renewal_notice_days',
  'price_notice_days',
] as const
type NumberField = (typeof NUMBER_FIELDS)[number]

type Values = Omit<PlanRules, NumberField> & Record<NumberField, string>

const mapNumbers = <T, R>(rules: Record<NumberField, T>, convert: (value: T) => R) =>
  Object.fromEntries(NUMBER_FIELDS.map((field) => [field, convert(rules[field])])) as Record<
    NumberField,
    R
  >

const toValues = (rules: PlanRules): Values => ({ ...rules, ...mapNumbers(rules, String) })
/** NaN stands for an empty field, because the schema rejects it. */
const toBody = (values: Values): PlanRules => ({
  ...values,
  ...mapNumbers(values, (text) => (text === '' ? Number.NaN : Number(text))),
})

const useRulesForm = (rules: PlanRules) => useSchemaForm(planRules, toValues(rules), toBody)
type RulesFormState = ReturnType<typeof useRulesForm>

function RulesForm({ rules, onClose }: { rules: PlanRules; onClose: () => void }) {
  const form = useRulesForm(rules)
  useDraft(PLAN_RULES_DRAFT, form)
  const save = useEndpointMutation(plansApi.setRules, {
    refreshes: [plansApi.rules],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={TITLE}
      onClose={onClose}
      onSubmit={form.send((body) => save.isPending || save.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(save, 'The rules could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <BillingFields form={form} />
      <FeeFields form={form} />
      <NoticeFields form={form} />
      <AttendanceFields form={form} />
    </FormDialog>
  )
}

type FieldsProps = { form: RulesFormState }

const BillingFields = ({ form }: FieldsProps) => (
  <>
    <NativeSelect
      label="Payments are due"
      data={[
        { value: 'first', label: 'On the 1st of the month' },
        { value: 'start', label: 'On the day the student started' },
      ]}
      {...form.getInputProps('billing_day')}
    />
    <NativeSelect
      label="The first period"
      data={[
        { value: 'prorated', label: 'Pay for the days that are left' },
        { value: 'full', label: 'Pay the full price' },
        { value: 'free', label: 'Free until the first payment' },
      ]}
      {...form.getInputProps('first_period')}
    />
  </>
)

const FeeFields = ({ form }: FieldsProps) => (
  <>
    <div className={kit.fieldPair}>
      <TextInput
        label="Months away before a new sign-up fee"
        {...digitProps(form, 'sign_up_again_after_months')}
      />
      <TextInput
        label="Days from sign-up to the yearly fee"
        {...digitProps(form, 'yearly_fee_gap_days')}
      />
    </div>
    <Checkbox
      size="md"
      label="One sign-up fee for a family"
      {...form.getInputProps('sign_up_once_per_family', { type: 'checkbox' })}
    />
  </>
)

const NoticeFields = ({ form }: FieldsProps) => (
  <>
    <div className={kit.fieldPair}>
      <TextInput
        label="Days to tell members before a renewal"
        {...digitProps(form, 'renewal_notice_days')}
      />
      <TextInput
        label="Days to tell members before a new price"
        {...digitProps(form, 'price_notice_days')}
      />
    </div>
    <TextInput
      label="Days to change their mind"
      description="Who ends a plan within these days gets everything back"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...digitProps(form, 'cooling_off_days')}
    />
  </>
)

const AttendanceFields = ({ form }: FieldsProps) => (
  <>
    <NativeSelect
      label="Weeks start on"
      data={[
        { value: 'monday', label: 'Monday' },
        { value: 'sunday', label: 'Sunday' },
      ]}
      {...form.getInputProps('week_begins_on')}
    />
    <Checkbox
      size="md"
      label="The kiosk stops students over their limit"
      description="It asks them to see their instructor"
      {...form.getInputProps('kiosk_stops_over_limit', { type: 'checkbox' })}
    />
  </>
)
