import { dashboardApi } from '@tatami/contract/dashboard'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useShell } from '../lib/shell.tsx'
import { WaitingBlock } from '../ui/waiting-block.tsx'
import styles from './analytics-charts.module.css'
import { AttendanceChart } from './attendance-chart.tsx'
import { BeltChart, PeopleChart } from './people-charts.tsx'
import { MovementsChart } from './movements-chart.tsx'
import { Panel } from './panel.tsx'
import { PaymentsChart } from './payments-chart.tsx'

/** Figures of months and weeks: they need not be asked for again at every return to the dashboard. */
const FRESH_MS = 60_000

/** What cannot be loaded stays empty (specification, section 8). */
export function AnalyticsCharts() {
  const shell = useShell()
  const { data, isPending } = useRetryingQuery({ ...endpointQuery(dashboardApi.analytics), staleTime: FRESH_MS })
  if (isPending) return <WaitingBlock height="40rem" />
  if (!data) return null
  return (
    <section aria-label="Analytics" className={styles.charts} data-shell={shell}>
      <Panel title="Students by Belt">
        <BeltChart belts={data.belts} />
      </Panel>
      <Panel title="Students by Age">
        <PeopleChart what="Age" counted={data.age_bands} />
      </Panel>
      <Panel title="Students by Gender">
        <PeopleChart what="Gender" counted={data.genders} />
      </Panel>
      <Panel title="Enrollments and Departures">
        <MovementsChart movements={data.movements} />
      </Panel>
      <Panel title="Payments">
        <PaymentsChart payments={data.payments} />
      </Panel>
      <Panel title="Attendance by Class">
        <AttendanceChart attendance={data.attendance} />
      </Panel>
    </section>
  )
}
