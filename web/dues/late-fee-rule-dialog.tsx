import { NativeSelect, Text, TextInput } from '@mantine/core'
import { parseMoney, cleanMoneyInput } from '@tatami/contract/lib/money'
import { lateFeeRule, owingApi } from '@tatami/contract/dues/owing'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import styles from './late-fee-rule-dialog.module.css'
import { LATE_FEE_RULE_DRAFT } from './owing-row.tsx'

export type LateFeeRule = Reply<typeof owingApi.lateFeeRule>
type Values = { unit: 'percent' | 'amount'; value: string; grace_days: string }

const toFormValues = ({ grace_days, percent, amount }: LateFeeRule): Values => ({
  unit: amount === null ? 'percent' : 'amount',
  value: String(percent ?? amount ?? ''),
  grace_days: String(grace_days),
})
/** An empty grace period becomes NaN, so that the schema rejects it. */
const toRequestBody = ({ unit, value, grace_days }: Values) => ({
  grace_days: grace_days === '' ? Number.NaN : Number(grace_days),
  ...(value !== '' && { [unit]: parseMoney(value) }),
})

export function LateFeeRuleDialog({ rule, onClose }: { rule: LateFeeRule; onClose: () => void }) {
  // The API has one field for percent and one for dollars. The form has `value` for both.
  const form = useSchemaForm(lateFeeRule, toFormValues(rule), toRequestBody, (path) =>
    path === 'grace_days' ? path : 'value',
  )
  useDraft(LATE_FEE_RULE_DRAFT, form)
  const { mutate, isPending, error } = useEndpointMutation(owingApi.setLateFeeRule, {
    refreshes: [owingApi.lateFeeRule, owingApi.lateFees],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Late fee rule"
      onClose={onClose}
      onSubmit={form.send((body) => isPending || mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps({ isPending, error }, 'The rule could not be saved.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <div className={styles.fee}>
        <TextInput
          label="Late fee"
          inputMode="decimal"
          placeholder="None"
          {...form.getInputProps('value')}
          onChange={(event) => form.setFieldValue('value', cleanTypedText(event, cleanMoneyInput))}
        />
        <NativeSelect
          aria-label="Unit"
          {...form.getInputProps('unit')}
          data={[
            { value: 'percent', label: '%' },
            { value: 'amount', label: '$' },
          ]}
        />
      </div>
      <TextInput
        label="Grace period in days"
        description="Counted from the 1st of the month. Leave the fee blank for no late fees"
        inputMode="numeric"
        {...form.getInputProps('grace_days')}
        onChange={(event) =>
          form.setFieldValue(
            'grace_days',
            cleanTypedText(event, (text) => text.replace(/\D/g, '')),
          )
        }
      />
      <Text c="dimmed">
        A percentage applies to what is owed for the month. Nothing is charged automatically: you
        choose who to charge, once per month.
      </Text>
    </FormDialog>
  )
}
