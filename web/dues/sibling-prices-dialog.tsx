import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { parseMoney, cleanMoneyInput } from '@tatami/contract/lib/money'
import { ordinal } from '@tatami/contract/lib/ordinal'
import { IconPlus } from '@tabler/icons-react'
import {
  pricesApi,
  siblingPriceRule,
  type SiblingOrder,
  type SiblingPriceRule,
} from '@tatami/contract/dues/prices'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import styles from './sibling-prices-dialog.module.css'
import kit from '../ui/kit.module.css'
import { LoadingSheet } from '../ui/loading.tsx'

const TITLE = 'Sibling Prices'
const MIN_ROWS = 2
const MAX_ROWS = 9
/** The first student pays the full fee, so the first row is for the second student. */
const FIRST_DISCOUNTED = 2

export function SiblingPricesDialog({ onClose }: { onClose: () => void }) {
  const rule = useRetryingQuery(endpointQuery(pricesApi.rule))
  if (rule.data) return <RuleForm rule={rule.data} onClose={onClose} />
  const failureText = 'The prices could not be loaded.'
  return (
    <LoadingSheet
      title={TITLE}
      query={rule}
      error={failureText}
      label="Loading"
      onClose={onClose}
    />
  )
}

const UNITS = [
  { value: 'percent', label: '% off' },
  { value: 'amount_off', label: '$ off' },
] as const

type Row = { unit: (typeof UNITS)[number]['value']; value: string }
type Values = { ordered_by: SiblingOrder; rows: Row[] }
const EMPTY_ROW: Row = { unit: 'percent', value: '' }

function toFormValues({ ordered_by, prices }: SiblingPriceRule): Values {
  const count = Math.max(MIN_ROWS, ...prices.map(({ nth }) => nth - 1))
  const rows = Array.from({ length: count }, (_, index): Row => {
    const price = prices.find(({ nth }) => nth === index + FIRST_DISCOUNTED)
    if (!price) return EMPTY_ROW
    return price.percent
      ? { unit: 'percent', value: String(price.percent) }
      : { unit: 'amount_off', value: String(price.amount_off) }
  })
  return { ordered_by, rows }
}

const listFilledRows = ({ rows }: Values) =>
  rows.flatMap((row, index) => (row.value === '' ? [] : [{ ...row, index }]))

const toRequestBody = (values: Values) => ({
  ordered_by: values.ordered_by,
  prices: listFilledRows(values).map(({ unit, value, index }) => ({
    nth: index + FIRST_DISCOUNTED,
    [unit]: parseMoney(value),
  })),
})

function useRuleForm(rule: SiblingPriceRule) {
  const form = useSchemaForm(siblingPriceRule, toFormValues(rule), toRequestBody)
  useDraft('sibling-prices', form)
  return form
}

function RuleForm({ rule, onClose }: { rule: SiblingPriceRule; onClose: () => void }) {
  const form = useRuleForm(rule)
  const cache = useQueryClient()
  const onSuccess = () => {
    refreshAll(cache)
    onClose()
  }
  const { mutate, isPending, error } = useEndpointMutation(pricesApi.setRule, { onSuccess })
  return (
    <FormDialog
      onClose={onClose}
      title={TITLE}
      onSubmit={form.send((body) => isPending || mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps({ isPending, error }, 'The prices could not be saved.')}
      submitLabel="Save Changes"
      busyLabel="Saving..."
      gap="lg"
    >
      <Text>
        For students with the same payer. Students on trial or vacation don’t count. Marked months
        don’t change.
      </Text>
      <NativeSelect
        {...form.getInputProps('ordered_by')}
        label="Who pays the full fee"
        data={[
          { value: 'highest_fee', label: 'The student with the highest fee' },
          { value: 'enrolled_first', label: 'The student who enrolled first' },
        ]}
      />
      <Discounts form={form} />
    </FormDialog>
  )
}

function Discounts({ form }: { form: ReturnType<typeof useRuleForm> }) {
  const { rows } = form.values
  // Empty rows are not sent, so the indexes in the errors skip them.
  const findError = (index: number) => {
    const sentIndex = listFilledRows(form.values).findIndex((row) => row.index === index)
    const errors = Object.entries(form.errors)
    return errors.find(([path]) => path.startsWith(`prices.${sentIndex}.`))?.[1]
  }
  return (
    <div className={`${kit.stackSmall} ${styles.rows}`}>
      <Text fw={500}>Discounts</Text>
      {rows.map((row, index) => (
        <DiscountFields
          key={index}
          studentName={nameStudents(index, rows.length)}
          row={row}
          error={findError(index)}
          onChange={(newRow) => form.setFieldValue('rows', rows.with(index, newRow))}
        />
      ))}
      {rows.length < MAX_ROWS && (
        <Button
          variant="subtle"
          px={0}
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => form.setFieldValue('rows', [...rows, EMPTY_ROW])}
        >
          Add another
        </Button>
      )}
    </div>
  )
}

/** "2nd student"; "3rd student and up" in the last row */
function nameStudents(index: number, rowCount: number): string {
  const name = `${ordinal(index + FIRST_DISCOUNTED)} student`
  return index === rowCount - 1 ? `${name} and up` : name
}

type DiscountProps = {
  studentName: string
  row: Row
  error: ReactNode
  onChange: (row: Row) => void
}

const DiscountFields = ({ studentName, row, error, onChange }: DiscountProps) => (
  <div className={styles.row}>
    <TextInput
      label={studentName}
      inputMode="decimal"
      placeholder="No discount"
      value={row.value}
      error={error}
      onChange={(event) => onChange({ ...row, value: cleanTypedText(event, cleanMoneyInput) })}
    />
    <NativeSelect
      aria-label={`Unit, ${studentName}`}
      value={row.unit}
      onChange={({ currentTarget }) => {
        const newUnit = UNITS.find(({ value }) => value === currentTarget.value)
        if (newUnit) onChange({ ...row, unit: newUnit.value })
      }}
      data={UNITS}
    />
  </div>
)
