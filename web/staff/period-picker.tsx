import { NativeSelect, TextInput } from '@mantine/core'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import type { PayOverview } from '@tatami/contract/staff/pay'
import { formatDate, formatInstantDate } from '../lib/dates.ts'
import kit from '../ui/kit.module.css'

type Props = { pay: PayOverview; onChange: (query: Record<string, string>) => void }

export const formatPeriod = ({ from, until }: { from: string; until: string }) =>
  `${formatDate(from)} – ${formatDate(until)}`

/** Chooses a closed period, or the days of the next one. */
export function PeriodPicker({ pay, onChange }: Props) {
  const { closed_period: closedPeriod, periods } = pay
  return (
    <div className={kit.stackSmall}>
      {periods.length > 0 && (
        <NativeSelect
          label="Period"
          maw="22rem"
          value={closedPeriod?.id ?? ''}
          data={[
            { value: '', label: 'Not closed yet' },
            ...periods.map((period) => ({ value: period.id, label: formatPeriod(period) })),
          ]}
          onChange={({ currentTarget }) =>
            onChange({ period: currentTarget.value, from: '', until: '' })
          }
        />
      )}
      {closedPeriod ? (
        <p className={kit.muted}>
          Closed on {formatInstantDate(closedPeriod.closed_at)}
          {closedPeriod.closed_by && ` by ${closedPeriod.closed_by}`}. Later changes are corrections
          in the next period.
        </p>
      ) : (
        <>
          <OpenPeriod pay={pay} onChange={onChange} />
          {pay.next_from !== null && (
            <p className={kit.note}>The first day is the day after the last closed period.</p>
          )}
        </>
      )}
    </div>
  )
}

/** Once a period has been closed, the first day is fixed. */
const OpenPeriod = ({ pay, onChange }: Props) => (
  <div className={kit.fieldPair}>
    <TextInput
      type="date"
      label="First day"
      value={pay.from}
      max={pay.until}
      disabled={pay.next_from !== null}
      onChange={({ currentTarget: { value } }) =>
        isCalendarDate(value) && value <= pay.until && onChange({ from: value })
      }
    />
    <TextInput
      type="date"
      label="Last day"
      value={pay.until}
      min={pay.from}
      onChange={({ currentTarget: { value } }) =>
        isCalendarDate(value) && value >= pay.from && onChange({ from: pay.from, until: value })
      }
    />
  </div>
)
