import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import {
  CANCEL_GROUND_LABELS,
  CANCEL_GROUNDS,
  type CancelGround,
  membershipsApi,
  type Subscription,
  subscriptionEnd,
} from '@tatami/contract/memberships/memberships'
import type { Student } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { useCan } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ActPreviewBox } from './act-preview.tsx'
import type { MembershipNotice } from './membership-bar.tsx'
import { MEMBERSHIP_DRAFTS } from './open-dialog.ts'
import { usePreview, useSettledValues, withQuote } from './use-preview.ts'
import kit from '../ui/kit.module.css'

type Props = {
  student: Student
  subscription: Subscription
  onClose: () => void
  onDone: (notice: MembershipNotice) => void
}

type Values = {
  asked_on: string
  last_day: string
  reason: string
  ground: CancelGround | ''
  waives_early_end_fee: boolean
}
const createValues = (): Values => ({
  asked_on: today(),
  last_day: '',
  reason: '',
  ground: '',
  waives_early_end_fee: false,
})
const toBody = ({ ground, ...values }: Values) => ({ ...values, ...(ground && { ground }) })

const useEndForm = () => useSchemaForm(subscriptionEnd, createValues(), toBody)
type EndForm = ReturnType<typeof useEndForm>

export function EndDialog({ student, subscription, onClose, onDone }: Props) {
  const form = useEndForm()
  useDraft(MEMBERSHIP_DRAFTS.end, form, subscription.id)
  const cache = useQueryClient()
  const { id, plan_name } = subscription
  const settledBody = toBody(useSettledValues(form))
  const preview = usePreview(
    endpointQuery(membershipsApi.previewEnd, { params: { id }, body: settledBody }),
    subscriptionEnd.safeParse(settledBody).success,
  )
  const end = useEndpointMutation(membershipsApi.end, {
    onSuccess: ({ subscription_id, refundable }) => {
      refreshAll(cache)
      const message = `${plan_name} of ${student.name} ends`
      onDone({ kind: 'ended', id: subscription_id, message, refundable })
      onClose()
    },
    onError: (error) => {
      form.showRefusal(error)
      void preview.refetch()
    },
  })
  return (
    <FormDialog
      title={`End ${plan_name}`}
      onClose={onClose}
      onSubmit={form.send(
        (body) =>
          end.isPending ||
          end.mutate({ params: { id }, body: withQuote(body, preview, settledBody) }),
      )}
      isDirty={form.isDirty()}
      {...progressProps(end, 'The plan could not be ended. Please try again.')}
      submitLabel="End plan"
      busyLabel="Ending..."
    >
      <TextInput
        type="date"
        label="Asked for on"
        description="The day on which the message or letter came"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        max={today()}
        {...form.getInputProps('asked_on')}
      />
      <ActPreviewBox title="What happens" preview={preview} />
      <TextInput label="Reason" autoComplete="off" {...form.getInputProps('reason')} />
      <SpecialEnd form={form} />
    </FormDialog>
  )
}

const GROUNDS = [
  { value: '', label: 'None: the plan’s notice and term apply' },
  ...CANCEL_GROUNDS.map((ground) => ({ value: ground, label: CANCEL_GROUND_LABELS[ground] })),
]

function SpecialEnd({ form }: { form: EndForm }) {
  const can = useCan()
  const hasError = 'last_day' in form.errors || 'ground' in form.errors
  return (
    <Disclosure key={String(hasError)} summary="More options" startsOpen={hasError}>
      <div className={kit.stack}>
        <TextInput
          type="date"
          label="Last day"
          description="Sooner than the terms say, the plan’s fee for ending early is due"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('last_day')}
        />
        <NativeSelect
          label="Grounds to end at once"
          description="Ends that day, without a fee. Unused days are given back."
          data={GROUNDS}
          {...form.getInputProps('ground')}
        />
        {can('money.give_back') && (
          <Checkbox
            size="md"
            label="No fee for ending early"
            {...form.getInputProps('waives_early_end_fee', { type: 'checkbox' })}
          />
        )}
      </div>
    </Disclosure>
  )
}
