import { Button } from '@mantine/core'
import { leadSourcesApi, type SourceFigures } from '@tatami/contract/leads/sources'
import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { useState } from 'react'
import { formatMoney } from '@tatami/contract/lib/money'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { DataTable } from '../ui/data-table.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Panel } from '../ui/panel.tsx'
import { nameOfSource } from './lead-words.ts'
import styles from './leads.module.css'
import kit from '../ui/kit.module.css'

const SourcesSheet = lazyComponent(() => import('./dialogs.ts'), 'SourcesSheet')

const VALUE_COLUMNS = [
  'Leads',
  'Booked',
  'Came',
  'Joined',
  'After 90 days',
  'Cost per lead who joined',
]
const COLUMNS = ['Source', ...VALUE_COLUMNS]

/** Shows numbers and no percentages, because most sources bring only a few people. */
export function SourceTable() {
  const { data: sources } = useRetryingQuery(endpointQuery(leadSourcesApi.figures))
  const [isOpen, setOpen] = useState(false)
  if (!sources) return null
  return (
    <Panel title="Where they come from" aside="Last 12 months">
      <div className={kit.stackTight}>
        {sources.length > 0 && (
          <DataTable columns={COLUMNS} className={styles.sources}>
            <tbody>
              {sources.map((source) => (
                <SourceRow key={source.source} figures={source} />
              ))}
            </tbody>
          </DataTable>
        )}
        <ResponseTimes />
        <Button
          variant="default"
          mr="auto"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          {...SourcesSheet.preloadOnHover}
        >
          Links and QR codes
        </Button>
      </div>
      {isOpen && <SourcesSheet onClose={() => setOpen(false)} />}
    </Panel>
  )
}

/** On a phone, each source is a card, and each value has the name of its column. */
function SourceRow({ figures }: { figures: SourceFigures }) {
  const { enrolled_90_days_ago, stayed_90_days, cost_per_joined } = figures
  const values = [
    figures.leads,
    figures.booked,
    figures.came,
    figures.joined,
    enrolled_90_days_ago > 0 && `${stayed_90_days} of ${enrolled_90_days_ago}`,
    cost_per_joined !== null && formatMoney(cost_per_joined),
  ]
  return (
    <tr>
      <th scope="row">{nameOfSource(figures.source)}</th>
      {values.map((value, index) => (
        <td key={VALUE_COLUMNS[index]} data-column={VALUE_COLUMNS[index]}>
          {value}
        </td>
      ))}
    </tr>
  )
}

/** 0 is Sunday in the API, and the first weekday is Monday. */
const weekdayName = (weekday: number): string => WEEKDAYS[(weekday + 6) % 7] ?? ''

const describeMinutes = (minutes: number): string =>
  minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} hours`

/** How long people who booked waited for a call or message. */
function ResponseTimes() {
  const { data: times } = useRetryingQuery(endpointQuery(leadSourcesApi.responseTimes))
  const answeredTimes = (times ?? []).flatMap(({ weekday, minutes }) =>
    minutes === null ? [] : `${weekdayName(weekday)} ${describeMinutes(minutes)}`,
  )
  if (answeredTimes.length === 0) return null
  return <p className={kit.note}>Usual time until the first contact: {answeredTimes.join(' · ')}</p>
}
