import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { OwnNextClass } from '../attendance/next-class.tsx'
import { Presence } from '../attendance/presence.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { capitalize } from '../lib/text.ts'
import { PATHS } from '../lib/paths.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { Face } from '../ui/face.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankName } from '../ui/rank-name.ts'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import rows from '../ui/rows.module.css'
import { ClosedPageNote } from './closed-page-note.tsx'
import { GradingInvitations, invitationsQuery } from './grading-invitations.tsx'
import { DashboardLoading, Greeting, Page, Row } from './layout.tsx'
import { announcementsQuery, RecentAnnouncements } from './recent-announcements.tsx'
import styles from './student-dashboard.module.css'
import kit from '../ui/kit.module.css'

/** From the specification, section 9. */
const ATTENDANCE_COUNT = 10

const attendanceQuery = endpointQuery(attendanceApi.list, { query: { limit: ATTENDANCE_COUNT } })

/** If the history fails to load, the list stays empty (specification, section 8). */
function MyAttendance() {
  const { data: records = [], isUnavailable, retry } = useRetryingQuery(attendanceQuery)
  return (
    <Panel
      title="My Attendance History"
      aside={records.length > 0 && <LayoutLink to={PATHS.attendance}>See all</LayoutLink>}
    >
      {isUnavailable && <RetryNotice onRetry={retry}>This could not be loaded.</RetryNotice>}
      {records.length === 0 && !isUnavailable && (
        <p className={kit.muted}>No attendance yet. Your instructor marks it in each class.</p>
      )}
      <ul className={rows.list}>
        {records.map(({ id, class_name, class_location, class_date, present }) => (
          <li key={id}>
            <div className={rows.text}>
              <span className={`${kit.name} ${rows.name}`}>{class_name}</span>
              <p className={kit.facts}>
                <span>{class_location}</span> <span>{formatDate(class_date)}</span>
              </p>
            </div>
            <Presence present={present} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const OwnCheckIn = lazyComponent(() => import('../kiosk/own-check-in.tsx'), 'OwnCheckIn')
const OwnBelts = lazyComponent(
  () => import('../belts/own-belts.tsx'),
  'OwnBelts',
  <SkeletonBlock height="12rem" />,
)
const OwnMembership = lazyComponent(
  () => import('../memberships/own-membership.tsx'),
  'OwnMembership',
)
const HomePapers = lazyComponent(() => import('../documents/papers-to-sign.tsx'), 'HomePapers')
const PayerPanel = lazyComponent(() => import('../online-payment/payer-panel.tsx'), 'PayerPanel')
const PayNow = lazyComponent(() => import('../online-payment/payer-panel.tsx'), 'PayNow')
const Children = lazyComponent(
  () => import('./guardian-home.tsx'),
  'Children',
  <DashboardLoading height="18rem" />,
)

function StudentCard() {
  const user = useCurrentUser()
  const { name, rank, belt_level, is_trial } = user
  const belt = belt_level ?? 'white'
  const rankLabel = rankName(rank, belt)
  // Without a rank, the specification capitalizes both words, such as "White Belt".
  const levelLabel = rankName(null, belt)
  return (
    <section
      className={`${kit.card} ${kit.line} ${styles.card}`}
      data-layout={useLayout()}
      aria-label="Your rank"
    >
      {user.photo === null ? (
        <RankBelt rank={rank} level={belt} size={64} decorative />
      ) : (
        <Face student={user} size={64} />
      )}
      <div>
        <p className={`${kit.titleLarge} ${kit.strong} ${styles.name}`}>{name}</p>
        <p className={kit.note}>
          {rankLabel === levelLabel ? `${capitalize(belt)} Belt` : rankLabel} •{' '}
          {is_trial ? 'Trial' : 'Regular'} Student
        </p>
      </div>
    </section>
  )
}

function MyBelts() {
  const { id, rank } = useCurrentUser()
  return (
    rank && (
      <Panel title="My Belts">
        <OwnBelts studentId={id} />
      </Panel>
    )
  )
}

function MyMembership() {
  const { id } = useCurrentUser()
  return (
    <OwnMembership
      studentId={id}
      renderFrame={(plans) => <Panel title="My Membership">{plans}</Panel>}
    />
  )
}

function MyNextClass() {
  const { id, awaits_approval } = useCurrentUser()
  return (
    <Panel title="Next Class">
      <OwnNextClass
        studentId={id}
        emptyText={
          awaits_approval
            ? 'Your instructor needs to approve you first. Then you’ll see your classes here.'
            : 'No class in the next two weeks. Your instructor assigns your classes.'
        }
      />
    </Panel>
  )
}

export function StudentDashboard() {
  const { is_guardian } = useCurrentUser()
  const layout = useLayout()
  const loadingHeight = layout === 'desktop' ? '24rem' : '40rem'
  const isLoading = [
    useRetryingQuery(attendanceQuery),
    useRetryingQuery(announcementsQuery),
    useRetryingQuery(invitationsQuery),
  ].some(({ isPending }) => isPending)
  return (
    <Page>
      <Greeting />
      <ClosedPageNote />
      <StudentCard />
      <div className={styles.halves} data-layout={layout}>
        <MyNextClass />
        <MyBelts />
      </div>
      <MyMembership />
      {is_guardian && <Children />}
      {!is_guardian && <PayNow />}
      <PayerPanel />
      {isLoading ? (
        <div role="status">
          <DashboardLoading height={loadingHeight} />
        </div>
      ) : (
        <>
          <GradingInvitations />
          <HomePapers />
          <Row>
            <MyAttendance />
            <RecentAnnouncements />
          </Row>
        </>
      )}
      <OwnCheckIn />
    </Page>
  )
}
