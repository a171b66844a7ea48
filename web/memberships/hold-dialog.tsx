import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { parseMoney } from '@tatami/contract/lib/money'
import { type HoldBilling, holdsApi, newHold } from '@tatami/contract/memberships/holds'
import type { Subscription } from '@tatami/contract/memberships/memberships'
import type { Student } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { moneyProps } from '../plans/field-props.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ActPreviewBox } from './act-preview.tsx'
import { HOLD_KINDS, OTHER_HOLD } from './hold-words.ts'
import type { MembershipNotice } from './membership-bar.tsx'
import { MEMBERSHIP_DRAFTS } from './open-dialog.ts'
import { usePreview, useSettledValues } from './use-preview.ts'
import kit from '../ui/kit.module.css'

type Props = {
  student: Student
  subscriptions: readonly Subscription[]
  onClose: () => void
  onDone: (notice: MembershipNotice) => void
}

type Values = {
  subscription_id: string
  starts_on: string
  ends_on: string
  kind: string
  other_kind: string
  billing: HoldBilling | ''
  fee: string
  moves_end: boolean
  ends_on_return: boolean
}
const createValues = (): Values => ({
  subscription_id: '',
  starts_on: today(),
  ends_on: '',
  kind: 'vacation',
  other_kind: '',
  billing: '',
  fee: '',
  moves_end: true,
  ends_on_return: true,
})
const toBody = ({ kind, other_kind, billing, fee, ...values }: Values) => ({
  ...values,
  kind: kind === OTHER_HOLD ? other_kind : kind,
  ...(billing && { billing }),
  ...(billing === 'fee' && { fee: parseMoney(fee) ?? 0 }),
})

const useHoldForm = () => useSchemaForm(newHold, createValues(), toBody, (path) => path)
type HoldForm = ReturnType<typeof useHoldForm>

export function HoldDialog({ student, subscriptions, onClose, onDone }: Props) {
  const form = useHoldForm()
  useDraft(MEMBERSHIP_DRAFTS.hold, form, student.id)
  const cache = useQueryClient()
  const params = { id: student.id }
  const settledBody = toBody(useSettledValues(form))
  const preview = usePreview(
    endpointQuery(holdsApi.preview, { params, body: settledBody }),
    newHold.safeParse(settledBody).success,
  )
  const create = useEndpointMutation(holdsApi.create, {
    onSuccess: ({ hold_id }) => {
      refreshAll(cache)
      onDone({ kind: 'held', id: hold_id, message: `${student.name} is on hold` })
      onClose()
    },
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={`Hold for ${student.name}`}
      onClose={onClose}
      onSubmit={form.send((body) => create.isPending || create.mutate({ params, body }))}
      isDirty={form.isDirty()}
      {...progressProps(create, 'The hold could not be saved. Please try again.')}
      submitLabel="Hold"
      busyLabel="Saving..."
    >
      <HoldFields form={form} subscriptions={subscriptions} />
      <ActPreviewBox title="What happens" preview={preview} />
      <HoldTerms form={form} />
    </FormDialog>
  )
}

type FieldsProps = { form: HoldForm; subscriptions: readonly Subscription[] }

const HoldFields = ({ form, subscriptions }: FieldsProps) => (
  <>
    <div className={kit.fieldPair}>
      <TextInput type="date" label="First day" required {...form.getInputProps('starts_on')} />
      <TextInput
        type="date"
        label="Last day"
        description="Leave blank if you don’t know yet"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('ends_on')}
      />
    </div>
    <div className={kit.fieldPair}>
      <NativeSelect label="Why" data={HOLD_KINDS} {...form.getInputProps('kind')} />
      {form.values.kind === OTHER_HOLD && (
        <TextInput
          label="In your words"
          required
          autoComplete="off"
          {...form.getInputProps('other_kind')}
        />
      )}
      {subscriptions.length > 1 && (
        <NativeSelect
          label="What is on hold"
          data={[
            { value: '', label: 'All plans' },
            ...subscriptions.map(({ id, plan_name }) => ({ value: id, label: plan_name })),
          ]}
          {...form.getInputProps('subscription_id')}
        />
      )}
    </div>
  </>
)

const BILLINGS = [
  { value: '', label: 'As the plan says' },
  { value: 'free', label: 'Nothing for the days on hold' },
  { value: 'fee', label: 'A fee for the days on hold' },
  { value: 'full', label: 'The full price, also for days on hold' },
]

const HoldTerms = ({ form }: { form: HoldForm }) => (
  <Disclosure summary="More options">
    <div className={kit.stack}>
      <div className={kit.fieldPair}>
        <NativeSelect label="Price" data={BILLINGS} {...form.getInputProps('billing')} />
        {form.values.billing === 'fee' && (
          <TextInput label="Fee" required {...moneyProps(form, 'fee')} />
        )}
      </div>
      <Checkbox
        size="md"
        label="The plan’s term gets longer by the days on hold"
        {...form.getInputProps('moves_end', { type: 'checkbox' })}
      />
      <Checkbox
        size="md"
        label="Ends when the student comes back"
        description="The first present mark ends the hold"
        {...form.getInputProps('ends_on_return', { type: 'checkbox' })}
      />
    </div>
  </Disclosure>
)
