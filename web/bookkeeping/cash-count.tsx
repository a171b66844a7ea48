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
import { differenceWords } from './difference-words.ts'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'
import { PrintButton } from '../ui/print-button.tsx'

const CountForm = lazyComponent(
  () => import('./count-form.tsx').then((part) => part.CountForm),
  <SkeletonBlock height="15rem" />,
)

const DAY = /^\d{4}-\d\d-\d\d$/

/** What came in on a day, and the cash that was counted in the evening. */
export function CashCount() {
  const [query, change] = useUrlQuery()
  const asked = query.get('date') ?? ''
  const date = DAY.test(asked) && !Number.isNaN(Date.parse(asked)) ? asked : today()
  const goTo = (day: string) => change({ date: day === today() ? '' : day })
  const layout = useLayout()
  const day = useRetryingQuery(endpointQuery(cashCountsApi.show, { query: { date } }))
  return (
    <Stack gap="md">
      <PageHeader title="Cash Count" subtitle={formatWeekdayAndDay(date)}>
        <PrintButton variant="default" />
      </PageHeader>
      <div className={styles.day} role="group" aria-label="Day">
        <ActionIcon
          variant="subtle"
          size="xl"
          aria-label="Day before"
          onClick={() => goTo(addDays(date, -1))}
        >
          <IconChevronLeft size={20} />
        </ActionIcon>
        <TextInput
          type="date"
          aria-label="Date"
          value={date}
          max={today()}
          onChange={(event) =>
            DAY.test(event.currentTarget.value) && goTo(event.currentTarget.value)
          }
        />
        <ActionIcon
          variant="subtle"
          size="xl"
          aria-label="Day after"
          disabled={date >= today()}
          onClick={() => goTo(addDays(date, 1))}
        >
          <IconChevronRight size={20} />
        </ActionIcon>
      </div>
      <Loading of={day} failed="The day could not be loaded.">
        <SkeletonBlock height="44rem">Loading the day...</SkeletonBlock>
      </Loading>
      {day.data && (
        <div className={`${kit.stack} ${styles.parts}`} data-layout={layout}>
          <Panel title="By the payments">
            <Taken day={day.data} />
          </Panel>
          <Panel title="In the till">
            <p className={styles.expected}>
              Cash to be there: <b>{formatMoney(day.data.expected_cash)}</b>
            </p>
            {day.data.count && <Counted day={day.data} count={day.data.count} />}
            <div className={styles.screen}>
              <CountForm key={`${date} ${day.data.count?.counted_at}`} day={day.data} />
            </div>
          </Panel>
        </div>
      )}
    </Stack>
  )
}

/** Received and given back by method, with who took it. */
function Taken({ day: { methods } }: { day: CashDay }) {
  if (methods.length === 0)
    return <p className={styles.dim}>Nothing was received or given back that day.</p>
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">How</th>
          <th scope="col">Received</th>
          <th scope="col">Given back</th>
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
              <th scope="row">{person.name ?? 'Somebody who has left'}</th>
              <td>{formatMoney(person.received)}</td>
              <td>{formatMoney(person.given_back)}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

type CountedProps = { day: CashDay; count: NonNullable<CashDay['count']> }

function Counted({
  day,
  count: { counted, expected, difference, note, counted_at, counted_by },
}: CountedProps) {
  return (
    <div className={`${kit.lines} ${styles.counted}`} data-differs={difference !== 0}>
      <p>
        Counted: <b>{formatMoney(counted)}</b>. {differenceWords(difference)}
      </p>
      {note && <p>{note}</p>}
      <p className={styles.dim}>
        {formatDateTime(counted_at)}, by {counted_by ?? 'somebody who has left'}
      </p>
      {expected !== day.expected_cash && (
        <p className={styles.dim}>
          Payments were entered or taken back since: then it was to be {formatMoney(expected)}.
        </p>
      )}
    </div>
  )
}
