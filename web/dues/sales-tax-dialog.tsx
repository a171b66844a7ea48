import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { chargeKindName } from '@tatami/contract/ledger/charge-words'
import { CHARGE_KINDS, type ChargeKind } from '@tatami/contract/ledger/ledger'
import { salesTaxApi, type SalesTaxes, salesTaxes } from '@tatami/contract/ledger/sales-tax'
import { parseMoney, cleanMoneyInput } from '@tatami/contract/lib/money'
import { useQueryClient } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { LoadingSheet } from '../ui/loading.tsx'
import styles from './sales-tax-dialog.module.css'
import { SALES_TAX_DRAFT } from './sales-tax-draft.ts'

const TITLE = 'Sales tax rates'

export function SalesTaxDialog({ onClose }: { onClose: () => void }) {
  const taxes = useRetryingQuery(endpointQuery(salesTaxApi.list))
  if (taxes.data) return <TaxForm taxes={taxes.data} onClose={onClose} />
  const failureText = 'The sales tax could not be loaded.'
  return (
    <LoadingSheet
      title={TITLE}
      query={taxes}
      error={failureText}
      label="Loading"
      onClose={onClose}
    />
  )
}

type TaxValues = {
  kind: ChargeKind
  percent: string
  inPrice: 'included' | 'added'
  starts_on: string
  ends_on: string
}
type Values = { taxes: TaxValues[] }

const toFormValues = ({ taxes }: SalesTaxes): Values => ({
  taxes: taxes.map(({ percent, is_added, ends_on, ...tax }) => ({
    ...tax,
    percent: String(percent),
    inPrice: is_added ? 'added' : 'included',
    ends_on: ends_on ?? '',
  })),
})

const toRequestBody = ({ taxes }: Values) => ({
  taxes: taxes.map(({ kind, percent, inPrice, starts_on, ends_on }) => ({
    kind,
    percent: parseMoney(percent) ?? Number.NaN,
    is_added: inPrice === 'added',
    starts_on,
    ends_on: ends_on || null,
  })),
})

const FORM_FIELDS: Record<string, string> = { is_added: 'inPrice' }
const toFormPath = (path: string): string =>
  path
    .split('.')
    .map((field) => FORM_FIELDS[field] ?? field)
    .join('.')

function useTaxForm(taxes: SalesTaxes) {
  const form = useSchemaForm(salesTaxes, toFormValues(taxes), toRequestBody, toFormPath)
  useDraft(SALES_TAX_DRAFT, form)
  return form
}

function TaxForm({ taxes, onClose }: { taxes: SalesTaxes; onClose: () => void }) {
  const form = useTaxForm(taxes)
  const cache = useQueryClient()
  const onSuccess = () => {
    refreshAll(cache)
    onClose()
  }
  const { mutate, isPending, error } = useEndpointMutation(salesTaxApi.set, {
    onSuccess,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={TITLE}
      onSubmit={form.send((body) => isPending || mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps({ isPending, error }, 'The sales tax could not be saved.')}
      submitLabel="Save"
      busyLabel="Saving..."
      gap="lg"
    >
      <Text>
        {form.values.taxes.length === 0 && 'You charge no sales tax. '}
        Whether your classes and goods are taxed depends on your state. Changes apply to new charges
        only.
      </Text>
      <Taxes form={form} />
    </FormDialog>
  )
}

const newTax = (taxes: readonly TaxValues[]): TaxValues => ({
  kind: CHARGE_KINDS.find((kind) => taxes.every((tax) => tax.kind !== kind)) ?? 'month',
  percent: taxes.at(-1)?.percent ?? '',
  inPrice: taxes.at(-1)?.inPrice ?? 'added',
  starts_on: today(),
  ends_on: '',
})

type FormProps = { form: ReturnType<typeof useTaxForm> }

function Taxes({ form }: FormProps) {
  const { taxes } = form.values
  return (
    <div className={styles.taxes}>
      {taxes.map((_, index) => (
        <TaxFields key={index} form={form} index={index} />
      ))}
      {form.errors.taxes && (
        <Text role="alert" c="red">
          {form.errors.taxes}
        </Text>
      )}
      <div>
        <Button
          variant="subtle"
          px={0}
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => form.setFieldValue('taxes', [...taxes, newTax(taxes)])}
        >
          Add a tax
        </Button>
      </div>
    </div>
  )
}

/** Plans are taxed as monthly fees. Only add-on plans have their own charges. */
function kindName(kind: ChargeKind): string {
  if (kind === 'month') return 'Monthly fee or plan'
  return kind === 'plan' ? 'Add-on plan' : chargeKindName(kind, schoolBeltTestName())
}

function TaxFields({ form, index }: FormProps & { index: number }) {
  const { taxes } = form.values
  const path = `taxes.${index}`
  const name = kindName(taxes[index]?.kind ?? 'month')
  return (
    <fieldset className={styles.tax} aria-label={`Tax on ${name}`}>
      <div className={styles.pair}>
        <NativeSelect
          label="Charge"
          {...form.getInputProps(`${path}.kind`)}
          data={CHARGE_KINDS.map((kind) => ({ value: kind, label: kindName(kind) }))}
        />
        <TextInput
          label="Tax in %"
          inputMode="decimal"
          {...form.getInputProps(`${path}.percent`)}
          onChange={(event) =>
            form.setFieldValue(`${path}.percent`, cleanTypedText(event, cleanMoneyInput))
          }
        />
      </div>
      <NativeSelect
        label="Your prices"
        {...form.getInputProps(`${path}.inPrice`)}
        data={[
          { value: 'added', label: 'The tax is added to the price' },
          { value: 'included', label: 'The price includes the tax' },
        ]}
      />
      <div className={styles.pair}>
        <TextInput type="date" label="From" {...form.getInputProps(`${path}.starts_on`)} />
        <TextInput type="date" label="Through" {...form.getInputProps(`${path}.ends_on`)} />
      </div>
      <div>
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          px={0}
          aria-label={`Remove the tax on ${name}`}
          onClick={() => form.setFieldValue('taxes', taxes.toSpliced(index, 1))}
        >
          Remove
        </Button>
      </div>
    </fieldset>
  )
}
