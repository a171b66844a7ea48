import { Button, Text, TextInput } from '@mantine/core'
import { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import {
  formatDecimal,
  formatMoney,
  cleanMoneyInput,
  isAmount,
  parseMoney,
  typedAmount,
  sumDollars,
} from '@tatami/contract/lib/money'
import { onlinePaymentApi } from '@tatami/contract/online-payment/online-payment'
import {
  newOnlineRefund,
  type OnlinePaymentDetails,
  type OnlineRefund,
  onlineRefundApi,
  type RefundedChargeOutcome,
} from '@tatami/contract/online-payment/refunds'
import { LEDGER_ENDPOINTS } from '../dues/payment-reads.ts'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { describeOutcome } from './payment-words.ts'

const REFUND_DRAFT = 'online-refund'
const REFRESHED_READS = [
  ...LEDGER_ENDPOINTS,
  onlinePaymentApi.list,
  dashboardApi.stats,
  onlineRefundApi.details,
] as const

const OUTCOME_CHOICES = [
  { value: 'owed', label: 'Owed again' },
  { value: 'written_off', label: 'Not owed anymore' },
] as const

type Values = { amounts: string[]; outcome: RefundedChargeOutcome; note: string }

type Props = {
  payment: OnlinePaymentDetails
  /** A refund that was made in Stripe, which the dialog only records. */
  outsideRefund?: OnlineRefund
  onClose: () => void
}

/** Fills the first parts until the amount is reached. */
function suggestAmounts(parts: OnlinePaymentDetails['parts'], amount: number): string[] {
  const amounts: string[] = []
  let remaining = amount
  for (const { refundable } of parts) {
    const partAmount = Math.min(refundable, remaining)
    remaining = sumDollars([remaining, -partAmount])
    amounts.push(partAmount > 0 ? formatDecimal(partAmount) : '')
  }
  return amounts
}

function useRefundForm({ payment: { id, parts }, outsideRefund }: Props) {
  const amounts = suggestAmounts(parts, outsideRefund?.amount ?? 0)
  const initial: Values = { amounts, outcome: 'owed', note: '' }
  const form = useSchemaForm(
    newOnlineRefund,
    initial,
    (values) => ({
      parts: parts.flatMap(({ student_id, charge_id }, index) => {
        const amount = parseMoney(values.amounts[index] ?? '') ?? 0
        return amount === 0 ? [] : [{ student_id, charge_id, amount }]
      }),
      outcome: values.outcome,
      note: values.note || null,
    }),
    fieldOfPath,
  )
  useDraft(REFUND_DRAFT, form, outsideRefund?.id ?? id)
  return form
}

/** An amount that is none is an error of one of the parts. */
const fieldOfPath = (path: string): string => (path.startsWith('parts') ? 'parts' : path)

export function RefundDialog(props: Props) {
  const { payment, outsideRefund, onClose } = props
  const form = useRefundForm(props)
  const { amounts, outcome } = form.values
  const total = sumDollars(amounts.map(typedAmount))
  const options = { refreshes: REFRESHED_READS, onSuccess: onClose, onError: form.showRefusal }
  const refund = useEndpointMutation(onlineRefundApi.refund, options)
  const record = useEndpointMutation(onlineRefundApi.recordRefund, options)
  const request = outsideRefund ? record : refund
  const parts = payment.parts.map((part, index) => ({
    ...part,
    amount: typedAmount(amounts[index] ?? ''),
  }))
  const hasCharges = parts.some(({ charge_id, amount }) => charge_id !== null && amount > 0)
  return (
    <FormDialog
      title={outsideRefund ? 'What was the refund for?' : 'Refund'}
      size="small"
      onClose={onClose}
      onSubmit={form.send(
        (body) =>
          request.isPending ||
          request.mutate({ params: { id: outsideRefund?.id ?? payment.id }, body }),
      )}
      isDirty={form.isDirty()}
      {...progressProps(request, 'The refund could not be saved. Please try again.')}
      submitLabel={outsideRefund ? 'Save' : describeButton(total)}
      busyLabel="Saving..."
    >
      <Amounts payment={payment} form={form} />
      {!outsideRefund && <EverythingButton payment={payment} form={form} />}
      {hasCharges && <OutcomeChoice form={form} />}
      <TextInput label="Note" maxLength={200} {...form.getInputProps('note')} />
      <Text c="dimmed">
        {outsideRefund ? '' : describeRefund(payment, total)} {describeOutcome(parts, outcome)}
      </Text>
    </FormDialog>
  )
}

const describeButton = (total: number): string =>
  total > 0 ? `Refund ${formatMoney(total)}` : 'Refund'

function describeRefund({ fee, payer_name }: OnlinePaymentDetails, total: number): string {
  if (total === 0) return 'Choose how much of each part to give back.'
  const payer = payer_name ?? 'the payer'
  const moneyText = `${formatMoney(total)} goes back to the card or bank account of ${payer}.`
  return fee === null ? moneyText : `${moneyText} Stripe keeps its fee of ${formatMoney(fee)}.`
}

type FormProps = { form: ReturnType<typeof useRefundForm> }

/** If some texts are no amounts, the error stands only beside those. */
const isToBlame = (amounts: readonly string[], index: number): boolean =>
  amounts.every(isAmount) || !isAmount(amounts[index] ?? '')

const Amounts = ({ form, payment: { parts } }: FormProps & Pick<Props, 'payment'>) =>
  parts.map(({ student_id, charge_id, name, refundable }, index) => (
    <TextInput
      key={`${student_id} ${charge_id}`}
      label={name}
      description={`Up to ${formatMoney(refundable)}`}
      error={isToBlame(form.values.amounts, index) && form.errors.parts}
      inputMode="decimal"
      leftSection="$"
      value={form.values.amounts[index]}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={(event) => {
        form.clearFieldError('parts')
        const amount = cleanTypedText(event, cleanMoneyInput)
        form.setFieldValue('amounts', form.values.amounts.with(index, amount))
      }}
    />
  ))

const EverythingButton = ({ form, payment }: FormProps & Pick<Props, 'payment'>) => (
  <Button
    variant="subtle"
    px="sm"
    onClick={() => form.setFieldValue('amounts', suggestAmounts(payment.parts, payment.refundable))}
  >
    {`Everything: ${formatMoney(payment.refundable)}`}
  </Button>
)

const OutcomeChoice = ({ form }: FormProps) => (
  <ChoiceBar
    label="What happens to the charge"
    choices={OUTCOME_CHOICES}
    value={form.values.outcome}
    onChange={(outcome) => form.setFieldValue('outcome', outcome)}
  />
)
