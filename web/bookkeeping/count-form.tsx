import { parseMoney, sanitizeMoneyInput, sumDollars } from '@tatami/contract/lib/money'
import { Stack, TextInput } from '@mantine/core'
import { cashCountsApi, type CashDay, newCashCount } from '@tatami/contract/bookkeeping/cash-counts'
import { failureOf } from '../lib/api.ts'
import { sanitizeInput, useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './cash-count.module.css'
import { differenceWords } from './difference-words.ts'

type Values = { counted: string; note: string }
const toWire = ({ counted, note }: Values) => ({ counted: parseMoney(counted), note })

/** Stores the counted cash of a day; while it is typed, by how much it differs. */
export function CountForm({ day }: { day: CashDay }) {
  const form = useSchemaForm(newCashCount, { counted: '', note: day.count?.note ?? '' }, toWire)
  const save = useEndpointMutation(cashCountsApi.set, {
    refreshes: [cashCountsApi.show],
    onError: form.showRefusal,
  })
  const typed = parseMoney(form.values.counted)
  const difference = typed === undefined ? undefined : sumDollars([typed, -day.expected_cash])
  const { onChange, ...counted } = form.getInputProps('counted')
  return (
    <form
      noValidate
      onSubmit={form.send(
        (body) =>
          save.isPending ||
          save.mutate({
            params: { date: day.date },
            body: body as { counted: number; note: string },
          }),
      )}
    >
      <Stack gap="sm">
        <TextInput
          {...counted}
          label={day.count ? 'Count again' : 'Counted cash'}
          inputMode="decimal"
          leftSection="$"
          maw="14rem"
          onChange={(event) =>
            (onChange as (value: string) => void)(sanitizeInput(event, sanitizeMoneyInput))
          }
        />
        <p
          role="status"
          className={styles.difference}
          data-differs={difference !== undefined && difference !== 0}
        >
          {difference === undefined ? '\u00a0' : differenceWords(difference)}
        </p>
        <TextInput {...form.getInputProps('note')} label="Note" maxLength={200} />
        <ErrorNotice>
          {failureOf(save, 'The count could not be saved. Please try again.')}
        </ErrorNotice>
        <BusyButton type="submit" busy={save.isPending} busyLabel="Saving...">
          Save count
        </BusyButton>
      </Stack>
    </form>
  )
}
