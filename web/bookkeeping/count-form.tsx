import { Stack, TextInput } from '@mantine/core'
import { cashCountsApi, type CashDay, newCashCount } from '@tatami/contract/bookkeeping/cash-counts'
import { parseMoney, cleanMoneyInput, sumDollars } from '@tatami/contract/lib/money'
import { failureMessage } from '../lib/api.ts'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import kit from '../ui/kit.module.css'
import { ErrorNotice } from '../ui/notices.tsx'
import { describeDifference } from './cash-count.tsx'
import styles from './cash-count.module.css'

type CountValues = { counted: string; note: string }
const toRequest = ({ counted, note }: CountValues) => ({
  counted: parseMoney(counted) ?? NaN,
  note,
})

/** Loaded separately from the screen because its schema is large. */
export function CountForm({ day }: { day: CashDay }) {
  const initialValues = { counted: '', note: day.count?.note ?? '' }
  const form = useSchemaForm(newCashCount, initialValues, toRequest)
  const save = useEndpointMutation(cashCountsApi.set, {
    refreshes: [cashCountsApi.show],
    onError: form.showRefusal,
  })
  const amount = parseMoney(form.values.counted)
  const difference =
    amount === undefined || Number.isNaN(amount)
      ? undefined
      : sumDollars([amount, -day.expected_cash])
  return (
    <form
      noValidate
      onSubmit={form.send(
        (body) => save.isPending || save.mutate({ params: { date: day.date }, body }),
      )}
    >
      <Stack gap="md">
        <div className={styles.counted}>
          <TextInput
            {...form.getInputProps('counted')}
            label={day.count ? 'Count again' : 'Counted cash'}
            inputMode="decimal"
            leftSection="$"
            onChange={(event) =>
              form.setFieldValue('counted', cleanTypedText(event, cleanMoneyInput))
            }
          />
          <p role="status" className={difference ? kit.orange : kit.muted}>
            {difference !== undefined && describeDifference(difference)}
          </p>
        </div>
        <TextInput {...form.getInputProps('note')} label="Note" maxLength={200} />
        <ErrorNotice>
          {failureMessage(save, 'The count could not be saved. Please try again.')}
        </ErrorNotice>
        <BusyButton type="submit" busy={save.isPending} busyLabel="Saving...">
          Save count
        </BusyButton>
      </Stack>
    </form>
  )
}
