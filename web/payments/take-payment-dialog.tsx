import { Stack, Text, TextInput } from '@mantine/core'
import { ledgerApi, newPayments } from '@tatami/contract/ledger'
import type { OwingFamily } from '@tatami/contract/owing'
import { errorMessage } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { sanitizeInput, useSchemaForm } from '../lib/form.ts'
import { formatMoney, parseMoney, sanitizeMoneyInput, sumOf } from '../lib/money.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { METHOD_NAMES } from './account-figures.ts'
import { LEDGER_READS } from './payment-reads.ts'
import { METHODS } from './payment-form.ts'
import { TAKE_PAYMENT_DRAFT } from './owing-row.tsx'
import type { Done } from './undo-bar.tsx'

type Props = { family: OwingFamily; onClose: () => void; onDone: (done: Done) => void }
type Values = { amounts: string[]; method: (typeof METHODS)[number] | ''; note: string }

/** Takes what a family owes, or a part of it, by one press; each amount pays what its student has owed longest. */
export function TakePaymentDialog({ family: { payer, students }, onClose, onDone }: Props) {
  const initial: Values = {
    amounts: students.map(({ owed }) => owed.toFixed(2)),
    method: '',
    note: '',
  }
  const name = payer?.name ?? students[0]!.name
  const form = useSchemaForm(newPayments, initial, ({ amounts, method, note }) => ({
    payments: students.flatMap(({ student_id }, place) => {
      const amount = parseMoney(amounts[place] ?? '') ?? 0
      return amount > 0 ? [{ student_id, amount }] : []
    }),
    method: method || null,
    note: note || null,
  }))
  useDraft(TAKE_PAYMENT_DRAFT, form, students[0]!.student_id)
  const total = sumOf(form.values.amounts.map((amount) => parseMoney(amount) ?? 0))
  const take = useEndpointMutation(ledgerApi.payTogether, {
    refreshes: LEDGER_READS,
    onSuccess: ({ act_id: actId }) => {
      const words = `${name} paid ${formatMoney(total)}`
      onDone({ actId, words, ...(students.length === 1 && { studentId: students[0]!.student_id }) })
      onClose()
    },
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={`Payment of ${name}`}
      onClose={onClose}
      onSubmit={form.send((body) => take.isPending || take.mutate({ body }))}
      unsent={form.isDirty()}
      busy={take.isPending}
      error={
        take.error && errorMessage(take.error, 'The payment could not be saved. Please try again.')
      }
      submit={`Take ${formatMoney(total)}`}
      submitting="Saving..."
    >
      <Stack gap="md">
        {students.map(({ student_id, name: student, owed }, place) => (
          <TextInput
            key={student_id}
            label={students.length > 1 ? student : 'Amount'}
            description={`Owes ${formatMoney(owed)}`}
            error={form.errors.payments}
            inputMode="decimal"
            leftSection="$"
            value={form.values.amounts[place]}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onChange={(event) => {
              form.clearFieldError('payments')
              const amount = sanitizeInput(event, sanitizeMoneyInput)
              form.setFieldValue('amounts', form.values.amounts.with(place, amount))
            }}
          />
        ))}
        <ChoiceBar
          label="Method"
          choices={METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }))}
          value={form.values.method}
          onChange={(method) => form.setFieldValue('method', method)}
        />
        <TextInput label="Note" maxLength={200} {...form.getInputProps('note')} />
        <Text c="dimmed">
          It pays what has been owed longest. More than is owed is kept as credit.
        </Text>
      </Stack>
    </FormDialog>
  )
}
