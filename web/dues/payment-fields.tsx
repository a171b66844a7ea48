import {
  cleanMoneyInput,
  formatMoney,
  toCents,
  toDollars,
  typedAmount,
} from '@tatami/contract/lib/money'
import { NativeSelect, Text, TextInput } from '@mantine/core'
import { methodName } from '@tatami/contract/ledger/charge-words'
import type { Account } from '@tatami/contract/ledger/ledger'
import { findSalesTax, salesTaxApi, withAddedTax } from '@tatami/contract/ledger/sales-tax'
import { formatPercent } from '@tatami/contract/ledger/tax-words'
import type { Student } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { today } from '../lib/dates.ts'
import type { useSchemaForm } from '../lib/form.ts'
import { cleanTypedText } from '../lib/form.ts'
import { hasMouse } from '../lib/modal.ts'
import { endpointQuery } from '../lib/query.ts'
import { formatMonth } from '../lib/month.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { Warning } from '../ui/notices.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { toBalance, describeBalance } from './account-figures.ts'
import { MoneyOnItsWay } from './money-on-its-way.tsx'
import { TakeAnywayCheckbox } from './take-anyway.tsx'
import styles from './payment-dialog.module.css'
import {
  canChooseMonth,
  listChargeKinds,
  describeEffect,
  METHODS,
  type PaymentRequest,
  type listRefundOptions,
  type listWriteOffOptions,
  type PaymentTarget,
  type PaymentFormValues,
} from './payment-form.ts'
import kit from '../ui/kit.module.css'

const CHECKBOX = { type: 'checkbox' } as const

type Form = ReturnType<typeof useSchemaForm<PaymentFormValues, PaymentRequest>>
type Props = { form: Form }

export const AccountSummary = ({ student, account }: { student: Student; account: Account }) => (
  <div className={kit.spread}>
    <Text fw={600}>{describeBalance(toBalance(account), today()) || 'Nothing is owed'}</Text>
    <StudentLink id={student.id} className={styles.account} state={{ section: 'account' }}>
      Account
    </StudentLink>
  </div>
)

type AmountProps = Props & {
  field: 'amount' | 'charge_amount' | 'refund_amount'
  hasFocus?: boolean
}

const AmountInput = ({ form, field, hasFocus = false }: AmountProps) => (
  <TextInput
    {...form.getInputProps(field)}
    // Each action has its own field, but the API reports errors of all three under "amount".
    data-path="amount"
    error={form.errors.amount}
    label="Amount"
    required
    inputMode="decimal"
    leftSection="$"
    // On a phone, the focus would open the keyboard over the form.
    data-autofocus={(hasFocus && hasMouse()) || undefined}
    onFocus={({ currentTarget }) => currentTarget.select()}
    onChange={(event) => {
      form.clearFieldError('amount')
      form.setFieldValue(field, cleanTypedText(event, cleanMoneyInput))
    }}
  />
)

const LabeledChoice = <Value extends string>(props: ComponentProps<typeof ChoiceBar<Value>>) => (
  <div>
    <span className={styles.label} aria-hidden>
      {props.label}
    </span>
    <ChoiceBar {...props} />
  </div>
)

type MethodProps = {
  value: PaymentFormValues['method']
  onChange: (method: PaymentFormValues['method']) => void
}

export const MethodChoice = ({ value, onChange }: MethodProps) => (
  <LabeledChoice
    label="Method"
    choices={METHODS.map((method) => ({ value: method, label: methodName(method) }))}
    value={value}
    onChange={onChange}
  />
)

const FormMethod = ({ form }: Props) => (
  <MethodChoice
    value={form.values.method}
    onChange={(method) => form.setFieldValue('method', method)}
  />
)

const NoteInput = ({ form }: Props) => (
  <TextInput {...form.getInputProps('note')} label="Note" maxLength={200} />
)

const NoteAndDate = ({ form, dateLabel }: Props & { dateLabel: string }) => (
  <div className={kit.fieldPair}>
    <NoteInput form={form} />
    <TextInput {...form.getInputProps('date')} type="date" label={dateLabel} />
  </div>
)

type PaymentProps = Props & { target: PaymentTarget; onItsWay: number }

export const PaymentFields = ({ form, target, onItsWay }: PaymentProps) => (
  <>
    <MoneyOnItsWay amount={onItsWay} />
    <div>
      <AmountInput form={form} field="amount" hasFocus />
      <p role="status" className={styles.effect}>
        {describeEffect(form.values, target)}
      </p>
    </div>
    <FormMethod form={form} />
    {canChooseMonth(target) && (
      <LabeledChoice
        label="Apply to"
        choices={[
          { value: 'month', label: `${formatMonth(target.month)} first` },
          { value: 'oldest', label: target.otherAmount > 0 ? 'Oldest first' : 'Credit' },
        ]}
        value={form.values.toward}
        onChange={(firstDebt) => form.setFieldValue('toward', firstDebt)}
      />
    )}
    <NoteAndDate form={form} dateLabel="Received on" />
    <TakeAnywayCheckbox
      isShown={onItsWay > 0}
      input={form.getInputProps('even_if_on_its_way', CHECKBOX)}
    />
  </>
)

export const ChargeFields = ({ form }: Props) => (
  <>
    <LabeledChoice
      label="Charge for"
      choices={listChargeKinds()}
      value={form.values.kind}
      onChange={(kind) => form.setFieldValue('kind', kind)}
    />
    <div>
      <AmountInput form={form} field="charge_amount" />
      <AddedTax values={form.values} />
    </div>
    <NoteAndDate form={form} dateLabel="Charged on" />
  </>
)

/** The charge with tax, if sales tax is added to the amount. */
function AddedTax({ values: { kind, charge_amount, date } }: { values: PaymentFormValues }) {
  const { data } = useQuery(endpointQuery(salesTaxApi.list))
  const tax = findSalesTax(data?.taxes ?? [], kind, date || today())
  if (!tax?.is_added) return null
  const cents = withAddedTax(toCents(typedAmount(charge_amount)), tax)
  return (
    <p role="status" className={styles.effect}>
      {`${formatMoney(toDollars(cents))} with ${formatPercent(tax.percent)} sales tax.`}
    </p>
  )
}

type OptionProps = Props & { options: ReturnType<typeof listWriteOffOptions> }
type ChargeSelectProps = OptionProps & { field: 'charge_id' | 'write_off_id'; label: string }

const ChargeSelect = ({ form, options, field, label }: ChargeSelectProps) => (
  <NativeSelect
    {...form.getInputProps(field)}
    label={label}
    data={options.map(({ id, label: name, amount }) => ({
      value: id,
      label: `${name}, ${formatMoney(amount)}`,
    }))}
  />
)

type RefundProps = Props & { options: ReturnType<typeof listRefundOptions> }

export function RefundFields({ form, options }: RefundProps) {
  const { charge_id } = form.values
  const option = options.find(({ id }) => id === charge_id)
  return (
    <>
      <ChargeSelect form={form} options={options} field="charge_id" label="Refund from" />
      {option?.isPaidOnline && (
        <Warning>
          This was paid online. To send it back to the card or bank account, use Payments → Money →
          Online instead.
        </Warning>
      )}
      <div>
        <AmountInput form={form} field="refund_amount" />
        <p className={styles.effect}>
          {`Up to ${formatMoney(option?.amount ?? 0)}.`}
          {charge_id && ' It will be owed again.'}
        </p>
      </div>
      <FormMethod form={form} />
      <NoteAndDate form={form} dateLabel="Refunded on" />
    </>
  )
}

export const WriteOffFields = ({ form, options }: OptionProps) => (
  <>
    <ChargeSelect form={form} options={options} field="write_off_id" label="Write off" />
    <NoteInput form={form} />
  </>
)
