import { NativeSelect, TextInput } from '@mantine/core'
import {
  CHANGE_DAYS,
  membershipsApi,
  type Subscription,
  subscriptionChange,
} from '@tatami/contract/memberships/memberships'
import type { Plan } from '@tatami/contract/plans/plans'
import type { Student } from '@tatami/contract/students/students'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import { useQueryClient } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ActPreviewBox } from './act-preview.tsx'
import type { MembershipNotice } from './membership-bar.tsx'
import { useOtherPlans } from './startable-plans.ts'
import { MEMBERSHIP_DRAFTS } from './open-dialog.ts'
import { usePreview, useSettledValues, withQuote } from './use-preview.ts'
import kit from '../ui/kit.module.css'

const DAY_LABELS = { next_period: 'With the next payment', now: 'Today' } as const

type ChangeDay = (typeof CHANGE_DAYS)[number]
type Values = { plan_id: string; from: ChangeDay; reason: string; bound_until: string }

const createValues = (plans: readonly Plan[]): Values => ({
  plan_id: plans.length === 1 ? (plans[0]?.id ?? '') : '',
  from: 'next_period',
  reason: '',
  bound_until: '',
})

type Props = {
  student: Student
  subscription: Subscription
  onClose: () => void
  onDone: (notice: MembershipNotice) => void
}

const useChangeForm = (plans: readonly Plan[]) =>
  useSchemaForm(subscriptionChange, createValues(plans))
type ChangeForm = ReturnType<typeof useChangeForm>

export function ChangeDialog({ student, subscription, onClose, onDone }: Props) {
  const plans = useOtherPlans(subscription)
  const form = useChangeForm(plans)
  useDraft(MEMBERSHIP_DRAFTS.change, form, subscription.id)
  const cache = useQueryClient()
  const params = { id: subscription.id }
  const settledBody = useSettledValues(form)
  const preview = usePreview(
    endpointQuery(membershipsApi.previewChange, { params, body: settledBody }),
    subscriptionChange.safeParse(settledBody).success,
  )
  const newPlan = plans.find(({ id }) => id === form.values.plan_id)
  const change = useEndpointMutation(membershipsApi.change, {
    onSuccess: ({ subscription_id }) => {
      refreshAll(cache)
      onDone({
        kind: 'started',
        id: subscription_id,
        message: `${student.name} changes to ${newPlan?.name ?? 'the plan'}`,
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
      title={`Change ${subscription.plan_name}`}
      onClose={onClose}
      onSubmit={form.send(
        (body) =>
          change.isPending ||
          change.mutate({ params, body: withQuote(body, preview, settledBody) }),
      )}
      isDirty={form.isDirty()}
      {...progressProps(change, 'The plan could not be changed. Please try again.')}
      submitLabel="Change plan"
      busyLabel="Changing..."
    >
      <ChangeFields form={form} plans={plans} minimumUntil={subscription.minimum_until} />
      {newPlan && <ActPreviewBox title="What happens" preview={preview} />}
    </FormDialog>
  )
}

type FieldsProps = {
  form: ChangeForm
  plans: readonly Plan[]
  /** The last day of the minimum term of the plan before. */
  minimumUntil: string | null
}

const ChangeFields = ({ form, plans, minimumUntil }: FieldsProps) => (
  <>
    <NativeSelect
      label="New plan"
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
    <div className={kit.stackTight}>
      <p className={kit.strong} aria-hidden>
        From when
      </p>
      <ChoiceBar
        label="From when"
        choices={CHANGE_DAYS.toReversed().map((day) => ({
          value: day,
          label: DAY_LABELS[day],
        }))}
        value={form.values.from}
        onChange={(day) => form.setFieldValue('from', day)}
      />
    </div>
    {minimumUntil !== null && (
      <TextInput
        type="date"
        label="Shorten the minimum term, to"
        description={`Without a day, it runs until ${formatDate(minimumUntil)}`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        max={minimumUntil}
        {...form.getInputProps('bound_until')}
      />
    )}
    <TextInput
      label="Reason"
      description="Only instructors see it"
      autoComplete="off"
      {...form.getInputProps('reason')}
    />
  </>
)
