import { formatMoney, sanitizeMoneyInput } from '@tatami/contract/lib/money'
import { NativeSelect, Text, TextInput } from '@mantine/core'
import type { Account } from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import type { ComponentProps } from 'react'
import { today } from '../lib/dates.ts'
import type { useSchemaForm } from '../lib/form.ts'
import { sanitizeInput } from '../lib/form.ts'
import { hasMouse } from '../lib/modal.ts'
import { formatMonth } from '../lib/month.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { balanceOf, describeBalance, METHOD_NAMES } from './account-figures.ts'
import styles from './payment-dialog.module.css'
import {
  effectOf,
  chargeKinds,
  mayChooseMonth,
  METHODS,
  refundables,
  type Target,
  type Values,
  type Wire,
  writeOffs,
} from './payment-form.ts'
import kit from '../ui/kit.module.css'

type Form = ReturnType<typeof useSchemaForm<Values, Wire>>
type Props = { form: Form }

/** What is owed and since when, and the way to all of it. */
export const AccountSummary = ({ student, account }: { student: Student; account: Account }) => (
  <div className={kit.spread}>
    <Text fw={600}>{describeBalance(balanceOf(account), today()) || 'Nothing is owed'}</Text>
    <StudentLink id={student.id}>Account</StudentLink>
  </div>
)

type AmountProps = Props & {
  field: 'amount' | 'charge_amount' | 'refund_amount'
  isFirst?: boolean
}

const AmountInput = ({ form, field, isFirst = false }: AmountProps) => (
  <TextInput
    {...form.getInputProps(field)}
    data-path="amount"
    error={form.errors.amount}
    label="Amount"
    required
    inputMode="decimal"
    leftSection="$"
    data-autofocus={(isFirst && hasMouse()) || undefined}
    onFocus={({ currentTarget }) => currentTarget.select()}
    onChange={(event) => {
      form.clearFieldError('amount')
      form.setFieldValue(field, sanitizeInput(event, sanitizeMoneyInput))
    }}
  />
)

/** Choices below their label, as the other fields have it. */
const Choice = <V extends string>(props: ComponentProps<typeof ChoiceBar<V>>) => (
  <div>
    <span className={styles.label} aria-hidden>
      {props.label}
    </span>
    <ChoiceBar {...props} />
  </div>
)

type MethodProps = { value: Values['method']; onChange: (method: Values['method']) => void }

/** How the money came, or was given back. */
export const MethodChoice = ({ value, onChange }: MethodProps) => (
  <Choice
    label="Method"
    choices={METHODS.map((method) => ({ value: method, label: METHOD_NAMES[method] }))}
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

const NoteAndDate = ({ form, of }: Props & { of: string }) => (
  <div className={styles.pair}>
    <TextInput {...form.getInputProps('note')} label="Note" maxLength={200} />
    <TextInput {...form.getInputProps('date')} type="date" label={of} />
  </div>
)

/** Any amount: part of what is owed, all of it, or more. */
export const PaymentFields = ({ form, target }: Props & { target: Target }) => (
  <>
    <div>
      <AmountInput form={form} field="amount" isFirst />
      <p role="status" className={styles.effect}>
        {effectOf(form.values, target)}
      </p>
    </div>
    <FormMethod form={form} />
    {mayChooseMonth(target) && (
      <Choice
        label="Goes to"
        choices={[
          { value: 'month', label: `${formatMonth(target.month)} first` },
          { value: 'oldest', label: target.others > 0 ? 'The oldest first' : 'Credit' },
        ]}
        value={form.values.toward}
        onChange={(toward) => form.setFieldValue('toward', toward)}
      />
    )}
    <NoteAndDate form={form} of="Received on" />
  </>
)

/** Something that is asked for beside the months. */
export const ChargeFields = ({ form }: Props) => (
  <>
    <Choice
      label="Charge for"
      choices={chargeKinds()}
      value={form.values.kind}
      onChange={(kind) => form.setFieldValue('kind', kind)}
    />
    <AmountInput form={form} field="charge_amount" />
    <NoteAndDate form={form} of="Charged on" />
  </>
)

type AccountProps = Props & { account: Account }

export function RefundFields({ form, account }: AccountProps) {
  const options = refundables(account)
  const most = options.find(({ id }) => id === form.values.charge_id)?.most ?? 0
  return (
    <>
      <NativeSelect
        {...form.getInputProps('charge_id')}
        label="Received for"
        data={options.map(({ id, label, most: received }) => ({
          value: id,
          label: `${label}, ${formatMoney(received)}`,
        }))}
      />
      <div>
        <AmountInput form={form} field="refund_amount" />
        <p className={styles.effect}>
          {form.values.charge_id
            ? `At most ${formatMoney(most)}, which is owed again then.`
            : `At most ${formatMoney(most)}.`}
        </p>
      </div>
      <FormMethod form={form} />
      <NoteAndDate form={form} of="Given back on" />
    </>
  )
}

export const WriteOffFields = ({ form, account }: AccountProps) => (
  <>
    <NativeSelect
      {...form.getInputProps('forgiven_id')}
      label="Forgive what is owed of"
      data={writeOffs(account).map(({ id, label, owed }) => ({
        value: id,
        label: `${label}, ${formatMoney(owed)}`,
      }))}
    />
    <TextInput {...form.getInputProps('note')} label="Note" maxLength={200} />
  </>
)
