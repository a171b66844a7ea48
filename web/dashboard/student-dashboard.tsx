import { type Announcement, announcementsApi, truncated } from '@tatami/contract/announcements'
import { attendanceApi } from '@tatami/contract/attendance'
import { useState } from 'react'
import { Presence } from '../attendance/presence.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { capitalize } from '../lib/text.ts'
import { AnnouncementEntry, AnnouncementList } from '../texting/announcement-entry.tsx'
import { Belt } from '../ui/belt.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { DashboardLoading, Greeting, Page, Row } from './layout.tsx'
import styles from './student-dashboard.module.css'

/** How many the dashboard shows (specification, section 9). */
const ATTENDANCE_COUNT = 10

const attendanceQuery = endpointQuery(attendanceApi.list, { query: { limit: ATTENDANCE_COUNT } })

/** The student's newest marks. What cannot be loaded stays empty (section 8). */
function MyAttendance() {
  const { data: records = [], isUnavailable, retry } = useRetryingQuery(attendanceQuery)
  return (
    <Panel title="My Attendance History" aside={records.length > 0 && <LayoutLink to="/attendance">See all</LayoutLink>}>
      {isUnavailable && <RetryNotice onRetry={retry}>This could not be loaded.</RetryNotice>}
      {records.length === 0 && !isUnavailable && (
        <p className={styles.nothing}>Nothing here yet. Your instructor marks attendance in each class.</p>
      )}
      <ul className={styles.list}>
        {records.map(({ id, class_name, class_location, class_date, present }) => (
          <li key={id}>
            <div className={styles.what}>
              <span className={styles.className}>{class_name}</span>
              <p className={styles.about}>
                {class_location} · {formatDate(class_date)}
              </p>
            </div>
            <Presence present={present} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const AnnouncementSheet = lazyComponent(() => import('../texting/announcement-sheet.tsx').then((part) => part.AnnouncementSheet))

/** How many the dashboard shows (specification, section 9). */
const ANNOUNCEMENT_COUNT = 5

const announcementsQuery = endpointQuery(announcementsApi.list, { query: { limit: ANNOUNCEMENT_COUNT } })

/** The newest announcements meant for the student; a shortened one opens. What cannot be loaded stays empty (section 8). */
function RecentAnnouncements() {
  const { data: announcements = [], isUnavailable, retry } = useRetryingQuery(announcementsQuery)
  const [opened, open] = useState<Announcement | null>(null)
  return (
    <Panel title="Recent Announcements">
      {isUnavailable && <RetryNotice onRetry={retry}>This could not be loaded.</RetryNotice>}
      {announcements.length === 0 && !isUnavailable && (
        <p className={styles.nothing}>Nothing here yet. Your instructor’s announcements appear here.</p>
      )}
      <AnnouncementList>
        {announcements.map((one) => {
          const content = truncated(one.content)
          return (
            <AnnouncementEntry key={one.id} announcement={one} content={content}>
              {content !== one.content && (
                <button
                  type="button"
                  className={styles.more}
                  aria-haspopup="dialog"
                  aria-label={`Read more: ${one.title}`}
                  onClick={() => open(one)}
                  onPointerEnter={AnnouncementSheet.preload}
                  onFocus={AnnouncementSheet.preload}
                >
                  Read more
                </button>
              )}
            </AnnouncementEntry>
          )
        })}
      </AnnouncementList>
      {opened && <AnnouncementSheet announcement={opened} onClose={() => open(null)} />}
    </Panel>
  )
}

/** Who one is in the dojo: the belt, and on trial or not. */
function StudentCard() {
  const { name, belt_level, is_trial } = useCurrentUser()
  const belt = belt_level ?? 'white'
  return (
    <section className={styles.card} aria-label="You in the dojo">
      <Belt colour={belt} size={64} decorative />
      <div>
        <p className={styles.name}>{name}</p>
        <p className={styles.rank}>
          {capitalize(belt)} Belt • {is_trial ? 'Trial' : 'Regular'} Student
        </p>
      </div>
    </section>
  )
}

/** Both lists come at once, so that neither pushes the other away. */
export function StudentDashboard() {
  const isLoading = [useRetryingQuery(attendanceQuery), useRetryingQuery(announcementsQuery)].some(({ isPending }) => isPending)
  return (
    <Page>
      <Greeting />
      <StudentCard />
      {isLoading ? (
        <div role="status">
          <DashboardLoading height="24rem" />
        </div>
      ) : (
        <Row>
          <MyAttendance />
          <RecentAnnouncements />
        </Row>
      )}
    </Page>
  )
}
