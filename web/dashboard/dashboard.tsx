import { IconClipboardCheck, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { classesApi } from '@tatami/contract/classes/classes'
import { dashboardApi, type DashboardStats } from '@tatami/contract/dashboard/dashboard'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { gradingsApi } from '@tatami/contract/gradings/gradings'
import { slippingAwayApi } from '@tatami/contract/slipping-away/slipping-away'
import { staffCertificatesApi } from '@tatami/contract/staff/staff-certificates'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { roleOf, useCan, useCurrentUser } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { thisMonth } from '../lib/month.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'
import { useLayout, LayoutLink } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { ENROLL_DRAFT } from '../lib/student-drafts.ts'
import { datesOnDayQuery } from '../calendar/dates.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Panel } from '../ui/panel.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './dashboard.module.css'
import { GradingInvitations } from './grading-invitations.tsx'
import { Column, Columns, DashboardLoading, Greeting, Page } from './layout.tsx'
import { describeChange } from './key-figures.ts'
import { MAX_AT_RISK_NAMES } from './prefetch.ts'
import { SetupSection, SetupSkeleton } from './setup-section.tsx'
import { Today } from './today.tsx'
import kit from '../ui/kit.module.css'

const StudentDashboard = lazyComponent(() => import('./student-dashboard.tsx'), 'StudentDashboard')
const UnsavedNotice = lazyComponent(
  () => import('../attendance/unsaved-notice.tsx'),
  'UnsavedNotice',
)
const GuardianHome = lazyComponent(() => import('./guardian-home.tsx'), 'GuardianHome')
const Children = lazyComponent(() => import('./guardian-home.tsx'), 'Children')
const PayerPanel = lazyComponent(() => import('../online-payment/payer-panel.tsx'), 'PayerPanel')

export function Dashboard() {
  const role = roleOf(useCurrentUser())
  if (role === 'instructor') return <InstructorDashboard />
  return role === 'guardian' ? <GuardianHome /> : <StudentDashboard />
}

/** A section that fails to load stays empty (specification, section 8). */
function InstructorDashboard() {
  const { is_guardian } = useCurrentUser()
  const can = useCan()
  const stats = useRetryingQuery(endpointQuery(dashboardApi.stats))
  const birthdays = useAllowedQuery(dashboardApi.birthdays)
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const marks = useAllowedQuery(attendanceApi.list, { query: { class_date: today() } })
  const dates = useRetryingQuery(datesOnDayQuery(today()))
  const gradings = useAllowedQuery(gradingsApi.list)
  const payments = useAllowedQuery(paymentsApi.statistics, { query: thisMonth() })
  const atRisk = useAllowedQuery(slippingAwayApi.list, { query: { limit: MAX_AT_RISK_NAMES } })
  const certificateAlerts = useAllowedQuery(staffCertificatesApi.alerts)
  const queries = [
    stats,
    birthdays,
    classes,
    dates,
    marks,
    gradings,
    payments,
    atRisk,
    certificateAlerts,
  ]
  const isLoading = queries.some(({ isPending }) => isPending)
  const failedQueries = queries.filter(({ isUnavailable }) => isUnavailable)
  useReloadStatsOnReturn()
  const scheduleProps = { classes: classes.data, dates: dates.data }
  // Only people who may change the settings see the first steps.
  const setup = can('settings') ? stats.data?.setup : undefined
  const isNewDojo = stats.data?.total_students === 0 && classes.data?.length === 0
  return (
    <Page>
      <Greeting />
      <UnsavedNotice />
      {isLoading ? (
        <InstructorLoading />
      ) : (
        <Columns>
          <Column>
            {setup && <SetupSection {...scheduleProps} setup={setup} place="top" />}
            <Today
              {...scheduleProps}
              marks={marks.data ?? []}
              gradings={gradings.data ?? []}
              birthdays={birthdays.data ?? []}
              payments={payments.data}
              stats={stats.data}
              atRisk={atRisk.data}
              certificateAlerts={certificateAlerts.data}
              onRetry={
                failedQueries.length > 0
                  ? () => failedQueries.forEach(({ retry }) => retry())
                  : undefined
              }
            />
            {setup && <SetupSection {...scheduleProps} setup={setup} place="below today" />}
          </Column>
          <Column>
            <QuickActions />
            {can('students.read') && <StatTiles stats={stats.data} />}
            {can('students.read') && <Birthdays birthdays={birthdays.data ?? []} />}
          </Column>
          <Column>
            {is_guardian && <GradingInvitations />}
            {is_guardian && <Children />}
            {is_guardian && <PayerPanel />}
            {!isNewDojo && can('students.read') && <Analytics />}
          </Column>
        </Columns>
      )}
    </Page>
  )
}

/** Other screens can change the counts and complete first steps, so the stats load again when the
 *  user returns. */
function useReloadStatsOnReturn() {
  const client = useQueryClient()
  useEffect(
    () => () => {
      const { queryKey } = endpointQuery(dashboardApi.stats)
      void client.invalidateQueries({ queryKey, refetchType: 'none' })
    },
    [client],
  )
}

const InstructorLoading = () => (
  <div role="status">
    <Columns>
      <Column>
        <SetupSkeleton place="top" />
        <DashboardLoading height="17rem" />
        <SetupSkeleton place="below today" />
      </Column>
      <Column>
        <SkeletonBlock height="17rem" />
        <div className={`${kit.stackTight} ${styles.tiles}`}>
          {Array.from({ length: 4 }, (_, tile) => (
            <SkeletonBlock key={tile} height="5.5rem" />
          ))}
        </div>
        <BirthdaysLoading />
      </Column>
    </Columns>
  </div>
)

const BirthdaysLoading = () => (
  <>
    <SkeletonBlock height="23.75rem" />
    <SkeletonBlock height="20rem" />
  </>
)

const TILES = [
  { label: 'Total Students', filter: 'all', stat: 'total_students', change: 'total' },
  { label: 'Regular Students', filter: 'regular', stat: 'regular_students', change: 'regular' },
  { label: 'Trial Students', filter: 'trial', stat: 'trial_students', change: 'trial' },
  {
    label: 'Students on Vacation',
    filter: 'vacation',
    stat: 'vacation_students',
    change: 'vacation',
  },
] as const

const StatTiles = ({ stats }: { stats: DashboardStats | undefined }) => (
  <ul className={`${kit.stackTight} ${styles.tiles}`} aria-label="Students">
    {TILES.map(({ label, filter, stat, change }) => (
      <li key={filter}>
        <LayoutLink
          to={`${PATHS.students}?filter=${filter}`}
          className={`${kit.card} ${kit.plainLink} ${styles.tile}`}
        >
          <span className={styles.number}>{stats?.[stat] ?? '–'}</span>{' '}
          <span className={`${kit.muted} ${styles.label}`}>{label}</span>{' '}
          <span className={`${kit.note} ${styles.change}`}>
            {stats && describeChange(stats.changes[change])}
          </span>
        </LayoutLink>
      </li>
    ))}
  </ul>
)

const Birthdays = lazyComponent(
  () => import('./birthdays.tsx'),
  'Birthdays',
  <BirthdaysLoading />,
  { showsImmediately: true },
)

const EnrollDialog = lazyComponent(() => import('../students/enroll-dialog.tsx'), 'EnrollDialog')

function QuickActions() {
  const can = useCan()
  const layout = useLayout()
  const [isEnrolling, setIsEnrolling] = useState(() => drafts.subjectOf(ENROLL_DRAFT) !== undefined)
  if (!can('students.read') && !can('roll')) return null
  return (
    <Panel title="Quick Actions">
      <div className={styles.actionsContainer}>
        <div className={`${kit.stackTight} ${styles.actions}`} data-layout={layout}>
          {can('students.edit') && (
            <button
              type="button"
              className={styles.action}
              onClick={() => setIsEnrolling(true)}
              {...EnrollDialog.preloadOnHover}
            >
              <IconUserPlus size={24} stroke={1.5} aria-hidden />
              Enroll New Student
            </button>
          )}
          {can('students.read') && (
            <LayoutLink to={PATHS.students} className={styles.action}>
              <IconUsers size={24} stroke={1.5} aria-hidden />
              Student Center
            </LayoutLink>
          )}
          {can('roll') && (
            <LayoutLink to={PATHS.attendance} className={styles.action}>
              <IconClipboardCheck size={24} stroke={1.5} aria-hidden />
              Mark Attendance
            </LayoutLink>
          )}
        </div>
      </div>
      {isEnrolling && <EnrollDialog onClose={() => setIsEnrolling(false)} />}
    </Panel>
  )
}

const NEAR_DISTANCE = '400px'

/** Renders the children when the user scrolls near them, because charts are slow to render. */
function NearViewport({ height, children }: { height: string; children: ReactNode }) {
  const [isNear, setNear] = useState(false)
  if (isNear) return children
  const observePlaceholder = (placeholder: HTMLDivElement) => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: NEAR_DISTANCE,
    })
    observer.observe(placeholder)
    return () => observer.disconnect()
  }
  return <div ref={observePlaceholder} style={{ minHeight: height }} />
}

const CHARTS_HEIGHT = '28rem'
const Charts = lazyComponent(
  () => import('./key-charts.tsx'),
  'KeyCharts',
  <SkeletonBlock height={CHARTS_HEIGHT} />,
)

const Analytics = () => (
  <NearViewport height={CHARTS_HEIGHT}>
    <Charts />
  </NearViewport>
)
