import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { useCan } from '../lib/current-user.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { capitalize, pluralize } from '../lib/text.ts'
import { BarTable } from '../ui/bar-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Panel } from '../ui/panel.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './analytics-charts.module.css'
import { AttendanceChart } from './attendance-chart.tsx'
import { BeltMovementsChart } from './belt-movements.tsx'
import { MovementsChart, PaymentsChart, StayedChart } from './month-charts.tsx'
import { useAnalytics } from './use-analytics.ts'
import kit from '../ui/kit.module.css'

/** The columns show who trains, who stays and who pays. If the data cannot be loaded, there are no
 *  charts (specification, section 8). */
export function AnalyticsCharts() {
  const layout = useLayout()
  const can = useCan()
  const { data, isPending } = useAnalytics()
  if (isPending) return <SkeletonBlock height="40rem" />
  if (!data) return null
  if (!hasStudentData(data))
    return (
      <EmptyState>No students yet. Once you have some, you’ll see your numbers here.</EmptyState>
    )
  return (
    <section aria-label="Analytics" className={styles.columns} data-layout={layout}>
      <div className={styles.column}>
        <Panel title="Students by Belt">
          <BeltChart belts={data.belts} />
        </Panel>
        <Panel title="Students by Age">
          <PeopleChart heading="Age" groups={data.age_bands} />
        </Panel>
        <Panel title="Students by Gender">
          <PeopleChart heading="Gender" groups={data.genders} />
        </Panel>
        <Panel title="Time to the Next Belt">
          <NextBeltChart belts={data.next_belts} />
        </Panel>
      </div>
      <div className={styles.column}>
        <Panel title="Enrollments and Departures">
          <MovementsChart movements={data.movements} />
        </Panel>
        <Panel title="Students Who Stayed">
          <StayedChart movements={data.movements} />
        </Panel>
        <Panel title="Joined, Left and Stayed by Belt">
          <BeltMovementsChart movements={data.belt_movements} />
        </Panel>
      </div>
      <div className={styles.column}>
        {can('money.see') && (
          <Panel title="Payments">
            <PaymentsChart payments={data.payments} />
          </Panel>
        )}
        <Panel title="Attendance by Class">
          <AttendanceChart attendance={data.attendance} />
        </Panel>
      </div>
    </section>
  )
}

const hasStudentData = ({ belts, movements }: Analytics) =>
  belts.some(({ students }) => students > 0) ||
  movements.some(({ enrolled, departed }) => enrolled + departed > 0)

type StudentCounts = Analytics['genders']

const findMaxStudents = (counts: StudentCounts) =>
  Math.max(1, ...counts.map(({ students }) => students))

type BeltLabel = Pick<Analytics['belts'][number], 'label' | 'belt_level' | 'rank'>

const toBeltRow = ({ label, belt_level, rank }: BeltLabel) => ({
  label: rank ? label : capitalize(label),
  icon: rank && <RankBelt rank={rank} level={belt_level} decorative />,
  color: `var(--belt-${rank?.colours[0] ?? belt_level})`,
})

const BeltChart = ({ belts }: { belts: Analytics['belts'] }) => (
  <BarTable
    headers={['Belt', 'Students']}
    rows={belts.map((belt) => ({
      ...toBeltRow(belt),
      value: String(belt.students),
      share: belt.students / findMaxStudents(belts),
    }))}
  />
)

const DAYS_PER_MONTH = 30.4
/** Longer durations are shown in months. */
const MAX_DURATION_IN_DAYS = 60
const formatDuration = (days: number) =>
  days < MAX_DURATION_IN_DAYS ? `${days} days` : `${(days / DAYS_PER_MONTH).toFixed(1)} months`

function NextBeltChart({ belts }: { belts: Analytics['next_belts'] }) {
  const longestDays = Math.max(1, ...belts.map(({ days }) => days ?? 0))
  const hasPromotions = belts.some(({ days }) => days !== null)
  return (
    <>
      <p className={kit.muted}>
        {hasPromotions ? 'Average time from one belt to the next' : 'No promotions yet'}
      </p>
      {hasPromotions && (
        <BarTable
          headers={['Belt', 'Time to the next belt']}
          rows={belts.map(({ days, students, ...belt }) => ({
            ...toBeltRow(belt),
            value: days === null ? '–' : formatDuration(days),
            detail: students > 0 && pluralize(students, 'student'),
            share: (days ?? 0) / longestDays,
          }))}
        />
      )}
    </>
  )
}

/** The group "not known" is hidden if nobody is in it. */
const isVisibleGroup = ({ label, students }: StudentCounts[number]) =>
  students > 0 || label.toLowerCase() !== 'not known'

const PeopleChart = ({ heading, groups }: { heading: string; groups: StudentCounts }) => (
  <BarTable
    headers={[heading, 'Students']}
    rows={groups.filter(isVisibleGroup).map(({ label, students }) => ({
      label: capitalize(label),
      value: String(students),
      share: students / findMaxStudents(groups),
    }))}
  />
)
