import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { firstDayOf, isDay, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { parseMoney } from '@tatami/contract/lib/money'
import {
  type Membership,
  membershipsApi,
  newSubscription,
} from '@tatami/contract/memberships/memberships'
import type { Plan } from '@tatami/contract/plans/plans'
import type { Student } from '@tatami/contract/students/students'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import { useQueryClient } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { useCan } from '../lib/current-user.ts'
import { formatDate, today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { moneyProps } from '../plans/field-props.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ActPreviewBox } from './act-preview.tsx'
import type { MembershipNotice } from './membership-bar.tsx'
import { useStartablePlans } from './startable-plans.ts'
import { MEMBERSHIP_DRAFTS } from './open-dialog.ts'
import { usePreview, useSettledValues, withQuote } from './use-preview.ts'
import kit from '../ui/kit.module.css'

type Props = {
  student: Student
  membership: Membership
  onClose: () => void
  onDone: (notice: MembershipNotice) => void
}

const toBody = ({ price_override, override_reason, charges_start, ...values }: Values) => ({
  ...values,
  charges: charges_start ? ('start' as const) : ('current_period' as const),
  ...(price_override !== '' && {
    price_override: parseMoney(price_override),
    override_reason,
  }),
})

const createValues = (plans: readonly Plan[]) => ({
  plan_id: plans.length === 1 ? (plans[0]?.id ?? '') : '',
  starts_on: today(),
  price_override: '',
  override_reason: '',
  waives_sign_up: false,
  charges_start: false,
})
type Values = ReturnType<typeof createValues>

const useStartForm = (plans: readonly Plan[]) =>
  useSchemaForm(newSubscription, createValues(plans), toBody)
type StartForm = ReturnType<typeof useStartForm>

export function StartDialog({ student, membership, onClose, onDone }: Props) {
  const { memberships: plans } = useStartablePlans(membership)
  const form = useStartForm(plans)
  useDraft(MEMBERSHIP_DRAFTS.start, form, student.id)
  const cache = useQueryClient()
  const params = { id: student.id }
  const settledBody = toBody(useSettledValues(form))
  const preview = usePreview(
    endpointQuery(membershipsApi.previewStart, { params, body: settledBody }),
    newSubscription.safeParse(settledBody).success,
  )
  const plan = plans.find(({ id }) => id === form.values.plan_id)
  const start = useEndpointMutation(membershipsApi.start, {
    onSuccess: ({ subscription_id }) => {
      refreshAll(cache)
      onDone({
        kind: 'started',
        id: subscription_id,
        message: `${student.name} is on ${plan?.name ?? 'the plan'}`,
      })
      onClose()
    },
    onError: (error) => {
      form.showRefusal(error)
      void preview.refetch()
    },
  })
  return (
    <FormDialog
      title={`A plan for ${student.name}`}
      onClose={onClose}
      onSubmit={form.send(
        (body) =>
          start.isPending || start.mutate({ params, body: withQuote(body, preview, settledBody) }),
      )}
      isDirty={form.isDirty()}
      {...progressProps(start, 'The plan could not be started. Please try again.')}
      submitLabel="Start"
      busyLabel="Starting..."
    >
      <StartFields form={form} plans={plans} />
      {plan && <ActPreviewBox title="What happens" preview={preview} />}
      <SpecialTerms form={form} plan={plan} />
    </FormDialog>
  )
}

type FieldsProps = { form: StartForm; plans: readonly Plan[] }

const StartFields = ({ form, plans }: FieldsProps) => (
  <>
    <NativeSelect
      label="Plan"
      required
      data={[
        { value: '', label: 'Choose' },
        ...plans.map((plan) => ({
          value: plan.id,
          label: joinNonEmpty([plan.name, describePlanPrice(plan)], ', '),
        })),
      ]}
      {...form.getInputProps('plan_id')}
    />
    <TextInput type="date" label="First day" required {...form.getInputProps('starts_on')} />
    {isDay(form.values.starts_on) && form.values.starts_on < firstDayOf(monthOfDate(today())) && (
      <Checkbox
        size="md"
        label={`Charge the months since ${formatDate(form.values.starts_on)}, too`}
        description="Without it, payments start with the current period"
        {...form.getInputProps('charges_start', { type: 'checkbox' })}
      />
    )}
  </>
)

function SpecialTerms({ form, plan }: { form: StartForm; plan: Plan | undefined }) {
  const can = useCan()
  const hasError = Object.keys(form.errors).some((path) => /override/.test(path))
  return (
    <Disclosure key={String(hasError)} summary="More options" startsOpen={hasError}>
      <div className={kit.stack}>
        {can('money.give_back') && (
          <div className={kit.fieldPair}>
            <TextInput
              label="A price of their own"
              placeholder="The plan’s price"
              {...moneyProps(form, 'price_override')}
            />
            {form.values.price_override !== '' && (
              <TextInput
                label="Why"
                required
                autoComplete="off"
                {...form.getInputProps('override_reason')}
              />
            )}
          </div>
        )}
        {!!plan?.sign_up_fee && (
          <Checkbox
            size="md"
            label="No sign-up fee"
            {...form.getInputProps('waives_sign_up', { type: 'checkbox' })}
          />
        )}
      </div>
    </Disclosure>
  )
}
