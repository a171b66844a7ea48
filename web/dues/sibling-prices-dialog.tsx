import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { parseMoney, sanitizeMoneyInput } from '@tatami/contract/lib/money'
import { IconPlus } from '@tabler/icons-react'
import {
  ordinal,
  pricesApi,
  siblingPriceRule,
  type SiblingOrder,
  type SiblingPriceRule,
} from '@tatami/contract/dues/prices'
import { useQueryClient } from '@tanstack/react-query'
import { progressOf } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { sanitizeInput, useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import styles from './sibling-prices-dialog.module.css'
import kit from '../ui/kit.module.css'
import { LoadingSheet } from '../ui/loading.tsx'

const TITLE = 'Sibling Prices'
const MAX_ROWS = 9

/** What the second and further students of one payer get off their fee. */
export function SiblingPricesDialog({ onClose }: { onClose: () => void }) {
  const rule = useRetryingQuery(endpointQuery(pricesApi.rule))
  if (rule.data) return <RuleForm rule={rule.data} onClose={onClose} />
  const failed = 'The prices could not be loaded.'
  return <LoadingSheet title={TITLE} of={rule} failed={failed} label="Loading" onClose={onClose} />
}

type Row = { kind: 'percent' | 'amount_off'; value: string }
type Values = { ordered_by: SiblingOrder; rows: Row[] }
const EMPTY_ROW: Row = { kind: 'percent', value: '' }

/** The first row is the second student's. A place without a reduction has an empty row. */
function toValues({ ordered_by, prices }: SiblingPriceRule): Values {
  const count = Math.max(2, ...prices.map(({ nth }) => nth - 1))
  const rows = Array.from({ length: count }, (_, index): Row => {
    const price = prices.find(({ nth }) => nth === index + 2)
    if (!price) return EMPTY_ROW
    return price.percent
      ? { kind: 'percent', value: String(price.percent) }
      : { kind: 'amount_off', value: String(price.amount_off) }
  })
  return { ordered_by, rows }
}

const filledRows = ({ rows }: Values) =>
  rows.flatMap((row, index) => (row.value === '' ? [] : [{ ...row, index }]))

const toWire = (values: Values) => ({
  ordered_by: values.ordered_by,
  prices: filledRows(values).map(({ kind, value, index }) => ({
    nth: index + 2,
    [kind]: parseMoney(value),
  })),
})

function RuleForm({ rule, onClose }: { rule: SiblingPriceRule; onClose: () => void }) {
  const form = useSchemaForm(siblingPriceRule, toValues(rule), toWire)
  useDraft('sibling-prices', form)
  const cache = useQueryClient()
  // Prices stand in the payment list, on the families' pages and in the figures.
  const onSuccess = () => {
    refreshAll(cache)
    onClose()
  }
  const { mutate, isPending, error } = useEndpointMutation(pricesApi.setRule, { onSuccess })
  const { rows } = form.values
  const setRow = (index: number, change: Partial<Row>) =>
    form.setFieldValue(
      'rows',
      rows.map((row, at) => (at === index ? { ...row, ...change } : row)),
    )
  /** The errors stand under the place in the list that was checked. */
  const errorOf = (index: number) => {
    const place = filledRows(form.values).findIndex((row) => row.index === index)
    return place < 0
      ? undefined
      : Object.entries(form.errors).find(([path]) => path.startsWith(`prices.${place}.`))?.[1]
  }
  return (
    <FormDialog
      onClose={onClose}
      title={TITLE}
      onSubmit={form.send((body) => isPending || mutate({ body }))}
      unsent={form.isDirty()}
      {...progressOf({ isPending, error }, 'The prices could not be saved.')}
      submit="Save Changes"
      submitting="Saving..."
      gap="lg"
    >
      <Text>
        For the students of one payer. Who is on trial or on vacation does not count. Months that
        are marked stay as they are.
      </Text>
      <NativeSelect
        {...form.getInputProps('ordered_by')}
        label="Who counts as the first student"
        data={[
          { value: 'highest_fee', label: 'Who has the highest fee' },
          { value: 'enrolled_first', label: 'Who enrolled first' },
        ]}
      />
      <div className={`${kit.stackSmall} ${styles.rows}`}>
        <Text fw={500}>Reductions</Text>
        {rows.map(({ kind, value }, index) => {
          const who = `${ordinal(index + 2)} student${index === rows.length - 1 ? ' and further' : ''}`
          return (
            <div key={index} className={styles.row}>
              <TextInput
                label={who}
                inputMode="decimal"
                placeholder="No reduction"
                value={value}
                error={errorOf(index)}
                onChange={(event) =>
                  setRow(index, { value: sanitizeInput(event, sanitizeMoneyInput) })
                }
              />
              <NativeSelect
                aria-label={`Unit, ${who}`}
                value={kind}
                onChange={(event) =>
                  setRow(index, { kind: event.currentTarget.value as Row['kind'] })
                }
                data={[
                  { value: 'percent', label: '% off' },
                  { value: 'amount_off', label: '$ off' },
                ]}
              />
            </div>
          )
        })}
        {rows.length < MAX_ROWS && (
          <Button
            variant="subtle"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => form.setFieldValue('rows', [...rows, EMPTY_ROW])}
          >
            Add a place
          </Button>
        )}
      </div>
    </FormDialog>
  )
}
