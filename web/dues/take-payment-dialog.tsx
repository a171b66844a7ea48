import { Text, TextInput } from '@mantine/core'
import {
  cleanMoneyInput,
  formatDecimal,
  formatMoney,
  isAmount,
  parseMoney,
  sumDollars,
  typedAmount,
} from '@tatami/contract/lib/money'
import { ledgerApi, newPayments } from '@tatami/contract/ledger/ledger'
import { onlineStudentsApi } from '@tatami/contract/online-payment/online-students'
import type { OwingFamily } from '@tatami/contract/dues/owing'
import { progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { MoneyOnItsWay } from './money-on-its-way.tsx'
import { TakeAnywayCheckbox } from './take-anyway.tsx'
import { LEDGER_ENDPOINTS } from './payment-reads.ts'
import kit from '../ui/kit.module.css'
import { MethodChoice } from './payment-fields.tsx'
import type { METHODS } from './payment-form.ts'
import { TAKE_PAYMENT_DRAFT } from './owing-row.tsx'
import type { LedgerNotice } from './undo-bar.tsx'

type Props = { family: OwingFamily; onClose: () => void; onDone: (notice: LedgerNotice) => void }
type Values = {
  amounts: string[]
  method: (typeof METHODS)[number] | ''
  note: string
  received_on: string
  even_if_on_its_way: boolean
}

/** Student id → the amount that is on its way from the bank. */
type AmountsOnTheirWay = ReadonlyMap<string, number>

function useAmountsOnTheirWay(): AmountsOnTheirWay {
  const { data } = useAllowedQuery(onlineStudentsApi.list)
  return new Map(data?.map(({ student_id, on_its_way }) => [student_id, on_its_way]))
}

function suggestAmount(owedAmount: number, amountOnItsWay: number): string {
  const remainingAmount = sumDollars([owedAmount, -amountOnItsWay])
  return remainingAmount > 0 ? formatDecimal(remainingAmount) : ''
}

function usePaymentForm(students: OwingFamily['students'], onTheirWay: AmountsOnTheirWay) {
  const initialValues: Values = {
    amounts: students.map(({ student_id, owed }) =>
      suggestAmount(owed, onTheirWay.get(student_id) ?? 0),
    ),
    method: '',
    note: '',
    received_on: today(),
    even_if_on_its_way: false,
  }
  const form = useSchemaForm(
    newPayments,
    initialValues,
    ({ amounts, method, note, ...values }) => ({
      payments: students.flatMap(({ student_id }, index) => {
        const amount = parseMoney(amounts[index] ?? '') ?? 0
        return amount === 0 ? [] : [{ student_id, amount }]
      }),
      method: method || null,
      note: note || null,
      received_on: values.received_on || null,
      ...(values.even_if_on_its_way && { even_if_on_its_way: true }),
    }),
    findFormField,
  )
  useDraft(TAKE_PAYMENT_DRAFT, form, students[0]?.student_id)
  return form
}

/** Shows the errors of all payments together. `AmountFields` decides at which amounts. */
const findFormField = (path: string): string => (path.startsWith('payments') ? 'payments' : path)

/** Takes a family's payment. Each student's amount pays that student's oldest debt first. */
export function TakePaymentDialog({ family: { payer, students }, onClose, onDone }: Props) {
  const [firstStudent] = students
  const name = payer?.name ?? firstStudent?.name ?? ''
  const onTheirWay = useAmountsOnTheirWay()
  const form = usePaymentForm(students, onTheirWay)
  const totalOnItsWay = sumDollars(
    students.map(({ student_id }) => onTheirWay.get(student_id) ?? 0),
  )
  const total = sumDollars(form.values.amounts.map(typedAmount))
  const takePayment = useEndpointMutation(ledgerApi.payTogether, {
    refreshes: LEDGER_ENDPOINTS,
    onSuccess: ({ act_id: actId }) => {
      onDone({
        actId,
        name,
        message: `paid ${formatMoney(total)}`,
        ...(firstStudent && students.length === 1 && { studentId: firstStudent.student_id }),
      })
      onClose()
    },
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={`Payment from ${name}`}
      onClose={onClose}
      onSubmit={form.send((body) => takePayment.isPending || takePayment.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(takePayment, 'The payment could not be saved. Please try again.')}
      submitLabel={`Take ${formatMoney(total)}`}
      busyLabel="Saving..."
    >
      <MoneyOnItsWay amount={totalOnItsWay} />
      <AmountFields form={form} students={students} />
      <MethodChoice
        value={form.values.method}
        onChange={(method) => form.setFieldValue('method', method)}
      />
      <div className={kit.fieldPair}>
        <TextInput label="Note" maxLength={200} {...form.getInputProps('note')} />
        <TextInput label="Received on" type="date" {...form.getInputProps('received_on')} />
      </div>
      <TakeAnywayCheckbox
        isShown={totalOnItsWay > 0}
        input={form.getInputProps('even_if_on_its_way', { type: 'checkbox' })}
      />
      <Text c="dimmed">Pays the oldest debt first. Anything extra becomes credit.</Text>
    </FormDialog>
  )
}

type AmountProps = {
  form: ReturnType<typeof usePaymentForm>
  students: OwingFamily['students']
}

/** If some amounts are not valid, only those show the error. Otherwise, all do. */
const hasError = (amounts: readonly string[], index: number): boolean =>
  amounts.every(isAmount) || !isAmount(amounts[index] ?? '')

const AmountFields = ({ form, students }: AmountProps) =>
  students.map(({ student_id, name, owed }, index) => (
    <TextInput
      key={student_id}
      label={students.length > 1 ? name : 'Amount'}
      description={`Owes ${formatMoney(owed)}`}
      error={hasError(form.values.amounts, index) && form.errors.payments}
      inputMode="decimal"
      leftSection="$"
      value={form.values.amounts[index]}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={(event) => {
        form.clearFieldError('payments')
        const amount = cleanTypedText(event, cleanMoneyInput)
        form.setFieldValue('amounts', form.values.amounts.with(index, amount))
      }}
    />
  ))
