import { formatMoney } from '@tatami/contract/lib/money'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { ActionIcon, Stack, TextInput } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { cashCountsApi, type CashDay } from '@tatami/contract/bookkeeping/cash-counts'
import { methodName } from '@tatami/contract/ledger/charge-words'
import { formatDateTime, formatWeekdayAndDay, today } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useUrlQuery } from '../lib/url-query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './cash-count.module.css'
import { MoneySwitch } from '../dues/money-switch.tsx'
import { FORMER_MEMBER } from './receipts.tsx'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { PrintButton } from '../ui/print-button.tsx'

const CountForm = lazyComponent(
  () => import('./count-form.tsx'),
  'CountForm',
  <SkeletonBlock height="14rem" />,
)

const DATE_PATTERN = /^\d{4}-\d\d-\d\d$/

export function CashCount() {
  const [query, changeQuery] = useUrlQuery()
  const dateParam = query.get('date') ?? ''
  const isDate = DATE_PATTERN.test(dateParam) && !Number.isNaN(Date.parse(dateParam))
  const date = isDate ? dateParam : today()
  const layout = useLayout()
  const cashDay = useRetryingQuery(endpointQuery(cashCountsApi.show, { query: { date } }))
  return (
    <Stack gap="md">
      <MoneySwitch />
      <PageHeader title="Cash Count" subtitle={formatWeekdayAndDay(date)}>
        <PrintButton variant="default" />
      </PageHeader>
      <DayPicker
        date={date}
        onChange={(newDate) => changeQuery({ date: newDate === today() ? '' : newDate })}
      />
      <Loading query={cashDay} error="The day could not be loaded.">
        <SkeletonBlock height="44rem">Loading the day...</SkeletonBlock>
      </Loading>
      {cashDay.data && (
        <div className={`${kit.stack} ${styles.parts}`} data-layout={layout}>
          <Panel title="Payments">
            <MethodTable day={cashDay.data} />
          </Panel>
          <Panel title="Cash drawer">
            <p>
              Expected: <b>{formatMoney(cashDay.data.expected_cash)}</b>
            </p>
            {cashDay.data.count && <CountSummary day={cashDay.data} count={cashDay.data.count} />}
            <div className={styles.screenOnly}>
              <CountForm key={`${date} ${cashDay.data.count?.counted_at}`} day={cashDay.data} />
            </div>
          </Panel>
        </div>
      )}
    </Stack>
  )
}

type PickerProps = { date: string; onChange: (date: string) => void }

const DayPicker = ({ date, onChange }: PickerProps) => (
  <div className={styles.day} role="group" aria-label="Day">
    <ActionIcon
      variant="subtle"
      size="xl"
      aria-label="Previous day"
      onClick={() => onChange(addDays(date, -1))}
    >
      <IconChevronLeft size={20} />
    </ActionIcon>
    <TextInput
      type="date"
      aria-label="Date"
      value={date}
      max={today()}
      onChange={({ currentTarget: { value } }) => DATE_PATTERN.test(value) && onChange(value)}
    />
    <ActionIcon
      variant="subtle"
      size="xl"
      aria-label="Next day"
      disabled={date >= today()}
      onClick={() => onChange(addDays(date, 1))}
    >
      <IconChevronRight size={20} />
    </ActionIcon>
  </div>
)

function MethodTable({ day: { methods } }: { day: CashDay }) {
  if (methods.length === 0) return <p className={kit.muted}>No payments on this day.</p>
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Method</th>
          <th scope="col">Received</th>
          <th scope="col">Refunded</th>
        </tr>
      </thead>
      {methods.map(({ method, received, given_back, people }) => (
        <tbody key={method}>
          <tr>
            <th scope="row">{methodName(method)}</th>
            <td>{formatMoney(received)}</td>
            <td>{formatMoney(given_back)}</td>
          </tr>
          {people.map((person) => (
            <tr key={person.name} className={styles.person}>
              <th scope="row">{person.name ?? FORMER_MEMBER}</th>
              <td>{formatMoney(person.received)}</td>
              <td>{formatMoney(person.given_back)}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** Returns for example "$4.50 short.", "$4.50 over." or "It matches." */
export function describeDifference(difference: number): string {
  if (difference === 0) return 'It matches.'
  const amount = formatMoney(Math.abs(difference))
  return difference < 0 ? `${amount} short.` : `${amount} over.`
}

type SummaryProps = { day: CashDay; count: NonNullable<CashDay['count']> }

function CountSummary({ day, count }: SummaryProps) {
  const { counted, expected, difference, note, counted_at, counted_by } = count
  return (
    <div className={`${kit.lines} ${styles.summary}`} data-differs={difference !== 0}>
      <p>
        Counted: <b>{formatMoney(counted)}</b>. {describeDifference(difference)}
      </p>
      {note && <p>{note}</p>}
      <p className={styles.small}>
        {formatDateTime(counted_at)}, by {counted_by ?? FORMER_MEMBER}
      </p>
      {expected !== day.expected_cash && (
        <p className={styles.small}>
          Payments changed after this count. Expected then: {formatMoney(expected)}.
        </p>
      )}
    </div>
  )
}
